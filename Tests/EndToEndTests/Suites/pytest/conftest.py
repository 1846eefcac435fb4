"""Prints what pytest-html would show as links."""


def pytest_terminal_summary(terminalreporter) -> None:
    for reports in terminalreporter.stats.values():
        for report in reports:
            for link in getattr(report, "extras", []):
                terminalreporter.line(f"link {report.nodeid} {link['name']} {link['content']}")
