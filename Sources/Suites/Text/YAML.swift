/// Findings and positions are part of what this module hands out.
@_exported public import YAML
