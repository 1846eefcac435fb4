/// The style sheet of a page: light and dark, from a telephone's width to paper.
enum HTMLStyle {
    /// The source, as it stands in the page.
    static let text = colours + layout + cases + drawings + media

    private static let colours = """
        :root{color-scheme:light dark;--bg:#fff;--panel:#f6f8fa;--ink:#1f2328;--muted:#57606a;\
        --line:#d0d7de;--accent:#0550ae;--pass:#116329;--fail:#b3121d;--inconclusive:#7d4e00;\
        --error:#6639ba;--flaky:#953800;--known:#57606a;--skipped:#57606a;--band:#b6d7f5;\
        --passbg:#dafbe1;--failbg:#ffebe9;--inconclusivebg:#fff5d1;--errorbg:#f3ebff;--flakybg:#fff1e5;\
        --peer:#7d4e00}
        @media (prefers-color-scheme:dark){:root{--bg:#0d1117;--panel:#161b22;--ink:#e6edf3;\
        --muted:#9da7b3;--line:#30363d;--accent:#79c0ff;--pass:#56d364;--fail:#ff8a80;\
        --inconclusive:#e3b341;--error:#d2a8ff;--flaky:#ffa657;--known:#9da7b3;--skipped:#9da7b3;\
        --band:#1f4a78;--passbg:#12261e;--failbg:#2d1214;--inconclusivebg:#272115;--errorbg:#211a2f;\
        --flakybg:#2a1d12;--peer:#e3b341}}

        """

    private static let layout = """
        *{box-sizing:border-box}
        html{scroll-padding-top:1rem}
        body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.5 system-ui,-apple-system,\
        "Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
        a{color:var(--accent)}
        :focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
        code,pre,.t{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;\
        font-size:.875em;unicode-bidi:isolate}
        h1,h2,h3,h4{line-height:1.25;margin:1.6em 0 .6em}
        h2{font-size:1.4rem}h4{font-size:1rem}
        .hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);\
        white-space:nowrap}
        caption.hidden{position:static;display:table-caption;height:0;line-height:0;font-size:0;clip-path:none}
        .skip{position:absolute;left:-999px}.skip:focus{left:1rem;top:1rem;background:var(--bg);\
        padding:.5rem;z-index:2}
        .top,main,.bottom{max-width:1200px;margin:0 auto;padding:0 1.25rem}
        .top{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:baseline;padding-top:1rem}
        .top p{margin:0}.brand{font-weight:700;font-size:1.1rem}
        .top nav{margin-left:auto;display:flex;flex-wrap:wrap;gap:.25rem 1rem}
        .bottom{border-top:1px solid var(--line);margin-top:3rem;color:var(--muted)}
        .muted{color:var(--muted);font-size:.875rem}
        .lead{font-size:1.1rem}
        .verdict{margin-top:1rem;padding:1.25rem 1.5rem;border:1px solid var(--line);\
        border-left:10px solid var(--known);border-radius:12px;background:var(--panel)}
        .verdict h1{margin:0;font-size:clamp(1.6rem,4.5vw,2.6rem)}
        .verdict,.verdict.fail,.verdict.pass,.verdict.inconclusive{color:var(--ink)}
        .verdict p{margin:.5rem 0}
        .verdict.pass{border-left-color:var(--pass)}.verdict.pass h1{color:var(--pass)}
        .verdict.fail{border-left-color:var(--fail)}.verdict.fail h1{color:var(--fail)}
        .verdict.inconclusive{border-left-color:var(--inconclusive)}
        .verdict.inconclusive h1{color:var(--inconclusive)}
        .audit{font-size:.9rem}.audit span{font-weight:600}
        .tiles{display:flex;flex-wrap:wrap;gap:.6rem;margin:1rem 0}
        .tile{flex:1 1 7.4rem;max-width:10rem;padding:.5rem .75rem;border:1px solid var(--line);\
        border-radius:8px;background:var(--bg)}
        .tile dt{font-size:.85rem}.tile dd{margin:0;font-size:1.7rem;font-weight:700;line-height:1.2}
        .tile.zero{color:var(--muted)}
        .scroll{overflow-x:auto;max-width:100%}
        table{border-collapse:collapse;width:100%;font-size:.925rem}
        caption{text-align:left;font-weight:600;padding:.75rem 0 .25rem}
        th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;\
        border-bottom:1px solid var(--line);overflow-wrap:break-word}td code{overflow-wrap:anywhere}
        thead th{color:var(--muted);font-weight:600;font-size:.85rem}
        .number{text-align:right;white-space:nowrap}
        ul.plain{list-style:none;margin:.4rem 0;padding:0}ul.plain li{margin:.2rem 0}
        .badge{display:inline-block;padding:0 .5em;border:1px solid currentColor;border-radius:1em;\
        font-size:.8rem;font-weight:600;line-height:1.5;white-space:nowrap}
        .pass{color:var(--pass)}.fail{color:var(--fail)}.error{color:var(--error)}
        .inconclusive{color:var(--inconclusive)}.flaky{color:var(--flaky)}
        .known,.skipped,.not-run,.none{color:var(--known)}
        .badge.pass,.cells .pass{background:var(--passbg)}.badge.fail,.cells .fail{background:var(--failbg)}
        .badge.error,.cells .error{background:var(--errorbg)}
        .badge.inconclusive,.cells .inconclusive{background:var(--inconclusivebg)}
        .badge.flaky,.cells .flaky{background:var(--flakybg)}
        .matrix th{width:16rem}.matrix th .muted{display:block;font-weight:400}
        .matrix td:nth-child(2){white-space:nowrap}
        .cells{line-height:0}.cells a{display:inline-block;width:24px;height:24px;margin:0 3px 3px 0;\
        line-height:22px;text-align:center;border:1px solid currentColor;border-radius:5px;\
        font-size:14px;font-weight:700;text-decoration:none}
        .filter{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:center;margin:0 0 .75rem}
        .filter fieldset{display:flex;flex-wrap:wrap;gap:.25rem 1rem;border:0;margin:0;padding:0}
        .filter [type=search]{font:inherit;color:inherit;background:var(--bg);padding:.35rem .6rem;\
        border:1px solid var(--muted);border-radius:6px;min-width:14rem}
        [hidden]{display:none!important}

        """

    private static let cases = """
        .case{margin:.5rem 0;border:1px solid var(--line);border-left:6px solid currentColor;\
        border-radius:8px;background:var(--bg)}
        .case>summary{cursor:pointer;padding:.5rem 1rem;color:var(--ink)}
        .case .name{font-weight:600;margin-left:.35rem}
        .case .why,.case>summary>.muted{display:block;margin-top:.15rem}
        .case .body{scroll-margin-top:9rem;padding:0 1rem 1rem;color:var(--ink);border-top:1px solid var(--line)}
        .case-page h1{font-size:1.5rem}
        .title{font-weight:600;margin:.7rem 0 .1rem}.body>p,.case-page p{margin:.4rem 0}
        .remarks{margin:.4rem 0;padding-left:1.3rem}
        .blame{background:var(--panel);padding:.5rem .75rem;border-radius:6px}
        blockquote{margin:.75rem 0;padding:.35rem 1rem;border-left:4px solid var(--line)}
        blockquote p{margin:.2rem 0}blockquote footer{color:var(--muted);font-size:.875rem}
        .compare th{width:9rem;font-weight:600}
        .files code{user-select:all}
        figure{margin:1.25rem 0}figcaption{color:var(--muted);font-size:.875rem;margin-top:.25rem}
        details>summary{cursor:pointer}
        .wrong,.wrong th{background:var(--failbg)}
        .steps td:nth-child(n+3){white-space:nowrap}
        .chronicle,.chronicle ol{list-style:none;margin:.5rem 0;padding:0}
        .chronicle li{border-left:4px solid var(--line);margin:2px 0;background:var(--panel)}
        .chronicle li.dev{border-left-color:var(--accent)}.chronicle li.peer{border-left-color:var(--peer)}
        .chronicle li.act{border-left-color:var(--error)}
        .chronicle .line,.chronicle summary{padding:.15rem .6rem}
        .chronicle .line{padding-left:1.55rem}
        .chronicle .t{display:inline-block;min-width:6.5rem;color:var(--muted)}
        .chronicle .who{display:inline-block;min-width:7.5rem;font-size:.875rem}
        .chronicle .fate{color:var(--muted);font-size:.8rem}
        .chronicle li.log code{color:var(--muted)}
        .chronicle :target,.chronicle li:target{outline:2px solid var(--accent)}
        .message{display:grid;grid-template-columns:minmax(18rem,1fr) minmax(0,auto);gap:.5rem 1.5rem;\
        padding:.25rem .75rem .75rem 1.6rem;align-items:start}
        .message>p,.message>ul{grid-column:1/-1;margin:.25rem 0}
        .fields{font-size:.85rem}.fields th{font-weight:400;color:var(--muted);width:40%}
        .fields th,.fields td{padding:.1rem .5rem}
        .hex{margin:0;overflow-x:auto;font-size:.8rem;line-height:1.45;color:var(--muted)}
        .hex b{font-weight:400;color:var(--ink)}
        .hex mark{background:var(--failbg);color:var(--fail);font-weight:700}
        .on,tr.on th,tr.on td{background:var(--band)!important;color:var(--ink)!important}
        .anomalies{color:var(--inconclusive)}

        """

    private static let drawings = """
        svg{display:block}svg text{fill:var(--ink);font:12px system-ui,-apple-system,"Segoe UI",\
        Roboto,"Noto Sans",sans-serif}
        .ladder,.timeline{width:100%;min-width:860px;height:auto}
        .schedule-plot{width:100%;max-width:760px;min-width:480px;height:auto}
        .bar{display:inline-block}
        .ladder .lane{fill:var(--panel);stroke:var(--line)}
        .ladder .life{stroke:var(--line);stroke-width:2}
        svg .lane-title{font-weight:600;fill:var(--muted)}svg .party{font-weight:600}
        svg .name{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
        svg .detail,svg .tick,svg .folded,svg .time{fill:var(--muted);font-size:11px}
        svg .time{fill:var(--ink)}svg .folded{font-style:italic}
        line.good,line.off,line.bad,line.background,line.unreached{stroke-width:2}
        line.good{stroke:var(--pass)}path.good{fill:var(--pass)}
        line.bad{stroke:var(--fail);stroke-width:3}path.bad{fill:var(--fail)}
        line.off{stroke:var(--inconclusive);stroke-dasharray:7 3}path.off{fill:var(--inconclusive)}
        line.background{stroke:var(--muted);stroke-width:1}path.background{fill:var(--muted)}
        line.unreached{stroke:var(--muted);stroke-dasharray:2 4}path.unreached{fill:var(--muted)}
        text.background,text.unreached{fill:var(--muted)}text.name.bad{font-weight:700;fill:var(--fail)}
        text.mark{font-weight:700}text.mark.good{fill:var(--pass)}text.mark.bad{fill:var(--fail)}
        text.mark.off{fill:var(--inconclusive)}
        .divergence{fill:var(--failbg);stroke:var(--fail);stroke-width:1.5}
        svg .divergence-title{fill:var(--fail);font-weight:700;font-size:11px}
        svg .missing-text{fill:var(--fail);font-style:italic}
        rect.note{fill:var(--bg);stroke:var(--muted)}rect.note.good{stroke:var(--pass)}
        rect.note.bad{stroke:var(--fail);stroke-width:2}
        .axis{stroke:var(--muted);stroke-width:1}.leader{stroke:var(--muted);stroke-width:.75;opacity:.7}
        .grid{stroke:var(--line);stroke-width:1}
        svg .label{font-size:12px}svg .label.bad{fill:var(--fail);font-weight:700}
        .groove{fill:var(--line)}.allowed{fill:var(--band)}
        circle.point{fill:var(--pass);stroke:var(--bg);stroke-width:1}
        circle.point.out{fill:var(--fail)}circle.dev{fill:var(--accent)}circle.peer{fill:var(--peer)}
        circle.log{fill:none;stroke:var(--muted);stroke-width:1.5}rect.act{fill:var(--error)}
        .ladder a:hover text,.ladder a:focus text{text-decoration:underline}
        .ladder-figure>label{display:inline-block;padding:.15rem .8rem;margin:0 .4rem .5rem 0;\
        border:1px solid var(--line);border-radius:1em;cursor:pointer;font-size:.875rem}
        .ladder-figure>input:checked+label{background:var(--ink);color:var(--bg)}
        .ladder-figure>input:focus-visible+label{outline:3px solid var(--accent);outline-offset:2px}
        .ladder-figure .to-scale{display:none}
        .ladder-figure>input:nth-of-type(2):checked~.to-scale{display:block}
        .ladder-figure>input:nth-of-type(2):checked~.by-order{display:none}

        """

    private static let media = """
        @media (max-width:720px){.top nav{margin-left:0}.matrix th{width:auto}
        .message{display:block}.compare th{width:auto}.top,main,.bottom{padding-left:.75rem;padding-right:.75rem}
        .verdict{padding:1rem}.cases td:nth-child(3),.cases th:nth-child(3){display:none}}
        @media print{.top nav,.filter,.ladder-figure>label,.skip{display:none}body{font-size:11pt}
        .ladder,.timeline{min-width:0}.case,figure,tr{break-inside:avoid-page}.case{break-inside:auto}
        .scroll{overflow:visible}}
        @media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}

        """
}
