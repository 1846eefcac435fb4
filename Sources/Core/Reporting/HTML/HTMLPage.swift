import Wire

/// The frame of a page, which is self-contained and may load nothing.
struct HTMLPage {
    /// The title of the window.
    var title: String
    /// The content between `<body>` and `</body>`.
    var body: String

    /// The whole document.
    var text: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <title>\(HTMLText.plain(title, limit: 200))</title>
        <style>\(HTMLStyle.text)</style>
        </head>
        <body>
        \(body)
        <script>\(HTMLScript.text)</script>
        </body>
        </html>

        """
    }

    /// Returns links that skip the navigation; they are visible while they have the focus.
    static func skips(to places: [(id: String, words: String)]) -> String {
        let links = places.map { "<a href=\"#\($0.id)\">\($0.words)</a>" }
        return "<nav class=\"skip\" aria-label=\"Skip\">\(links.joined())</nav>"
    }

    /// The content security policy.
    ///
    /// Nothing may be loaded. The style sheet and the script are allowed by their hashes.
    private static let policy =
        "default-src 'none'; style-src '\(source(HTMLStyle.text))'; "
        + "script-src '\(source(HTMLScript.text))'; base-uri 'none'; form-action 'none'"

    private static func source(_ text: String) -> String {
        "sha256-\(base64(SHA256.hash(of: text)))"
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place > group.count ? "=" : digits[bits >> (18 - 6 * place) & 0x3F])
            }
        }
        return text
    }
}
