/// Findings and positions are part of the interface of this module.
@_exported public import YAML
