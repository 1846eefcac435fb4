/// The style sheet of a page: for light and dark themes, for telephones, wide screens and paper.
enum HTMLStyle {
    /// The source, exactly as it appears in the page.
    static let text = colours + layout + tables + matrix + cases + drawings + narrow + paper

    private static let colours = """
        :root{color-scheme:light dark;--bg:#fff;--ground:#f6f8fa;--panel:#f6f8fa;--ink:#1f2328;--muted:#57606a;\
        --line:#d0d7de;--accent:#0550ae;--pass:#116329;--fail:#b3121d;--inconclusive:#7d4e00;\
        --error:#6639ba;--flaky:#953800;--known:#57606a;--skipped:#57606a;--band:#b6d7f5;\
        --passbg:#dafbe1;--failbg:#ffebe9;--inconclusivebg:#fff5d1;--errorbg:#f3ebff;--flakybg:#fff1e5;\
        --peer:#7d4e00}
        @media (prefers-color-scheme:dark){:root{--bg:#161b22;--ground:#0d1117;--panel:#1c2128;--ink:#e6edf3;\
        --muted:#9da7b3;--line:#30363d;--accent:#79c0ff;--pass:#56d364;--fail:#ff8a80;\
        --inconclusive:#e3b341;--error:#d2a8ff;--flaky:#ffa657;--known:#9da7b3;--skipped:#9da7b3;\
        --band:#1f4a78;--passbg:#12261e;--failbg:#2d1214;--inconclusivebg:#272115;--errorbg:#211a2f;\
        --flakybg:#2a1d12;--peer:#e3b341}}

        """

    private static let layout = """
        *{box-sizing:border-box}
        html{scroll-padding-top:4.5rem}
        body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.55 Inter,system-ui,\
        -apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere;\
        -webkit-text-size-adjust:100%}
        a{color:var(--accent)}
        :focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
        code,pre,.t{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;\
        font-size:.875em;unicode-bidi:isolate}
        h1,h2,h3,h4{line-height:1.25;margin:1.6em 0 .6em}
        h2{font-size:1.4rem}h4{font-size:1rem}
        .hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);\
        white-space:nowrap}
        caption.hidden{position:static;display:table-caption;height:0;line-height:0;font-size:0;clip-path:none}
        .skip a{position:fixed;left:-999px}.skip a:focus{left:1rem;top:.5rem;background:var(--bg);\
        padding:.5rem;z-index:3}
        main,.bottom{max-width:1280px;margin:0 auto;padding:0 1.5rem}
        .top{position:sticky;top:0;z-index:2;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;\
        align-items:baseline;padding:.7rem max(1.5rem,calc((100% - 1280px)/2 + 1.5rem));\
        background:var(--bg);border-bottom:1px solid var(--line)}
        .top p{margin:0}.brand{font-weight:700;font-size:1.05rem}
        .top nav{margin-left:auto;display:flex;flex-wrap:wrap;gap:.25rem .35rem}
        .top nav a{padding:.1rem .6rem;border-radius:1em;text-decoration:none;font-size:.9rem}
        .top nav a:hover{background:var(--panel)}
        section:not(.verdict){margin-top:1.5rem;padding:.25rem 1.5rem 1.25rem;background:var(--bg);\
        border:1px solid var(--line);border-radius:14px}
        section>h2{margin:1rem 0 .75rem}
        section:not(.verdict)>h1{margin:1rem 0 .75rem;font-size:1.6rem}th .muted{font-weight:400}
        .bottom{border-top:1px solid var(--line);margin-top:3rem;color:var(--muted)}
        .muted{color:var(--muted);font-size:.875rem}
        .lead{font-size:1.1rem}
        .verdict{margin-top:1.25rem;padding:1.25rem 1.75rem;border:1px solid var(--line);\
        border-left:8px solid var(--known);border-radius:14px;background:var(--bg)}
        .verdict h1{margin:0;font-size:clamp(1.5rem,4vw,2.2rem);letter-spacing:-.01em}
        .verdict,.verdict.fail,.verdict.pass,.verdict.inconclusive{color:var(--ink)}
        .verdict p{margin:.5rem 0}
        .verdict.pass{border-left-color:var(--pass)}.verdict.pass h1{color:var(--pass)}
        .verdict.fail{border-left-color:var(--fail)}.verdict.fail h1{color:var(--fail)}
        .verdict.inconclusive{border-left-color:var(--inconclusive)}
        .verdict.inconclusive h1{color:var(--inconclusive)}
        .audit{font-size:.9rem}.audit span{font-weight:600}
        .tiles{display:flex;flex-wrap:wrap;gap:.6rem;margin:1rem 0}
        .tile{flex:1 1 7.4rem;max-width:10rem;padding:.5rem .75rem;border:1px solid var(--line);\
        border-radius:10px;background:var(--bg)}
        .tile dt{font-size:.85rem}.tile dd{margin:0;font-size:1.7rem;font-weight:700;line-height:1.2}
        .tile.zero{color:var(--muted)}
        [hidden]{display:none!important}

        """

    private static let tables = """
        .scroll{overflow-x:auto;max-width:100%}
        table{border-collapse:collapse;width:100%;font-size:.925rem}
        caption{text-align:left;font-weight:600;padding:.75rem 0 .25rem}
        th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;\
        border-bottom:1px solid var(--line);overflow-wrap:break-word}td code{overflow-wrap:anywhere}
        thead th{color:var(--muted);font-weight:600;font-size:.85rem}
        .number{text-align:right;white-space:nowrap}
        ul.plain{list-style:none;margin:.4rem 0;padding:0}ul.plain li{margin:.2rem 0}
        .badge{display:inline-block;padding:.05em .6em;border-radius:1em;background:var(--panel);\
        font-size:.8rem;font-weight:600;line-height:1.5;white-space:nowrap}
        .badge::before{margin-right:.35em;content:"·";content:"·"/""}
        .badge.pass::before{content:"✓";content:"✓"/""}.badge.fail::before{content:"✗";content:"✗"/""}
        .badge.error::before{content:"!";content:"!"/""}.badge.inconclusive::before{content:"?";content:"?"/""}
        .badge.flaky::before{content:"≈";content:"≈"/""}.badge.known::before{content:"k";content:"k"/""}
        .badge.skipped::before{content:"–";content:"–"/""}
        .pass{color:var(--pass)}.fail{color:var(--fail)}.error{color:var(--error)}
        .inconclusive{color:var(--inconclusive)}.flaky{color:var(--flaky)}
        .known,.skipped,.not-run,.none{color:var(--known)}
        .badge.pass,.cell .pass{background:var(--passbg)}.badge.fail,.cell .fail{background:var(--failbg)}
        .badge.error,.cell .error{background:var(--errorbg)}
        .badge.inconclusive,.cell .inconclusive{background:var(--inconclusivebg)}
        .badge.flaky,.cell .flaky{background:var(--flakybg)}
        .cases td:first-child{width:7.5rem}.cases td:nth-child(3){width:12rem}.cases td:nth-child(4){width:6rem}
        @media (scripting:enabled){.further{display:none}}
        .more{font:inherit;font-weight:600;color:var(--accent);background:var(--panel);\
        border:1px solid var(--line);border-radius:1em;padding:.3rem 1rem;margin:.75rem 0;cursor:pointer}
        .filter{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:center;margin:0 0 .75rem}
        .filter fieldset{display:flex;flex-wrap:wrap;gap:.35rem;border:0;margin:0;padding:0}
        .filter fieldset label{padding:.1rem .7rem;border:1px solid var(--line);border-radius:1em;\
        font-size:.875rem;font-weight:600;cursor:pointer}
        .filter [type=search]{font:inherit;color:inherit;background:var(--bg);padding:.35rem .6rem;\
        border:1px solid var(--muted);border-radius:8px;min-width:14rem}

        """

    private static let matrix = """
        .suite{border-top:1px solid var(--line);padding:.6rem 0}.suite:first-of-type{border-top:0}
        .suite h3{margin:0;font-size:1rem}.suite h3 .muted{font-weight:400}
        .share{display:flex;gap:.75rem;align-items:center;margin:.35rem 0;font-size:.875rem}
        .share-bar{flex:1 1 auto;max-width:24rem;height:8px;border-radius:4px;background:var(--panel)}
        .verdict .share-bar{max-width:none}
        .share-pass{fill:var(--pass)}.share-fail{fill:var(--fail)}.share-error{fill:var(--error)}
        .share-inconclusive{fill:var(--inconclusive)}.share-flaky{fill:var(--flaky)}
        .share-known,.share-skipped,.share-not-run{fill:var(--muted)}
        .groups{list-style:none;margin:.4rem 0 0;padding:0;columns:24rem;column-gap:1.75rem;font-size:.875rem}
        .groups li{break-inside:avoid;padding:.1rem 0}
        .cell{display:inline-block;min-width:24px;color:var(--ink);text-decoration:none}
        .cell:hover span{text-decoration:underline}
        .cell i{display:inline-block;width:24px;height:24px;margin:0 .35rem 2px 0;line-height:24px;\
        text-align:center;border-radius:6px;background:var(--panel);font-style:normal;font-weight:700}
        .cells .cell i{margin-right:2px}

        """

    private static let cases = """
        .reason h3{margin:1.1rem 0 .3rem;font-size:1rem}.reason h3 .muted{font-weight:400}
        .case{margin:.35rem 0;border:1px solid var(--line);border-left:4px solid currentColor;\
        border-radius:10px;background:var(--bg)}
        .case[open]{box-shadow:0 2px 12px rgb(0 0 0/.08)}
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
        code.copy{user-select:all}
        .copy-it,.sort{font:inherit;font-size:.8rem;font-weight:600;color:var(--accent);cursor:pointer;\
        background:none;border:1px solid var(--line);border-radius:6px;min-height:24px;padding:0 .5rem}
        .copy-it{margin-left:.5rem}.sort{border:0;padding:0;font-size:inherit}
        th[aria-sort=ascending] .sort::after{content:" ▲"}th[aria-sort=descending] .sort::after{content:" ▼"}
        .demands,.earlier{margin:.5rem 0}.demands p{margin:.15rem 0}.demands .in-0{font-weight:600;margin-top:.6rem}
        .in-1{padding-left:1rem}.in-2{padding-left:2rem}.in-3{padding-left:3rem}
        .source{margin:.25rem 0;padding:.5rem .75rem;background:var(--panel);border-radius:6px}
        .executions{width:auto}.executions td+td,.executions th+td{min-width:12rem;max-width:24rem}
        figure{margin:1.25rem 0}figcaption{color:var(--muted);font-size:.875rem;margin-top:.25rem}
        details>summary{cursor:pointer}
        .wrong,.wrong th{background:var(--failbg)}
        .steps td:nth-child(n+3){white-space:nowrap}
        .event-log,.event-log ol{list-style:none;margin:.5rem 0;padding:0}
        .event-log li{border-left:4px solid var(--line);margin:2px 0;background:var(--panel)}
        .event-log li.dev{border-left-color:var(--accent)}.event-log li.peer{border-left-color:var(--peer)}
        .event-log li.act{border-left-color:var(--error)}
        .event-log .line,.event-log summary{padding:.15rem .6rem}
        .event-log .line{padding-left:1.55rem}
        .event-log .t{display:inline-block;min-width:6.5rem;color:var(--muted)}
        .event-log .who{display:inline-block;min-width:7.5rem;font-size:.875rem}
        .event-log .fate{color:var(--muted);font-size:.8rem}
        .event-log li.log code{color:var(--muted)}
        .event-log :target,.event-log li:target{outline:2px solid var(--accent)}
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
        .ladder-figure .to-scale,.ladder-figure .as-table{display:none}
        .pick-scale:checked~.to-scale,.pick-table:checked~.as-table{display:block}
        .pick-scale:checked~.by-order,.pick-table:checked~.by-order{display:none}

        """

    /// Rules for telephones: the cells of a table are below each other, expected above actual.
    private static let narrow = """
        @media (max-width:720px){html{scroll-padding-top:1rem}
        .top{position:static;padding:.6rem .75rem}.top nav{margin-left:0}
        main,.bottom{padding:0 .75rem}section:not(.verdict){padding:.1rem .75rem .9rem}.verdict{padding:1rem}
        .message{display:block}.groups{columns:auto}
        .stack thead{display:none}.stack,.stack caption,.stack tbody,.stack tr,.stack td,.stack th{display:block;width:auto!important}
        .stack tr{padding:.5rem 0;border-bottom:1px solid var(--line)}
        .stack td,.stack th{border:0;padding:.1rem .25rem}.stack td:empty{display:none}
        .stack .number{text-align:left}
        .pairs td[data-h]::before{content:attr(data-h) ": ";font-weight:600}
        .steps td:nth-child(n+3){white-space:normal}.executions th,.executions td{overflow-wrap:break-word}
        td,th,td code{overflow-wrap:anywhere}.by-run td,.by-run th{overflow-wrap:break-word}\
        .by-run tbody th{min-width:8rem}.fields{table-layout:fixed}.fields th{width:50%}.message>*{max-width:100%}
        .compare,.compare tbody,.compare caption,.compare tr,.compare th,.compare td{display:block;width:auto}
        .compare th{border:0;padding-bottom:0}
        .ladder-figure>input,.ladder-figure>label,.ladder-figure .by-order,.ladder-figure .to-scale{display:none!important}
        .ladder-figure .as-table{display:block!important}}

        """

    /// Rules for paper: the summary and the details that are open.
    private static let paper = """
        @media print{:root{--ground:#fff}.top nav,.filter,.ladder-figure>label,.skip,.more,.copy-it,.run-line,#cases,\
        .legend{display:none}body{font-size:9pt;line-height:1.35}.top{position:static}
        main{max-width:none;padding:0}section:not(.verdict),.verdict{margin-top:.6rem;padding:.2rem .8rem .6rem}
        .groups{columns:14rem;font-size:7.5pt;line-height:1.2}.groups li{padding:0}
        .cell,.cells .cell{min-width:0}.cell i,.cells .cell i{width:auto;height:auto;line-height:inherit;\
        background:none!important;margin:0 .3em 0 0}
        .tile{padding:.2rem .5rem}.tile dd{font-size:1.2rem}table{font-size:8pt}td,th{padding:.15rem .4rem}
        .ladder,.timeline{min-width:0}figure,tr,summary,.suite h3{break-inside:avoid-page;break-after:auto}
        h2,.reason h3{break-after:avoid-page}
        .scroll{overflow:visible}#requirements .muted,#requirements details{display:none}.digests{display:none}}
        @media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}

        """
}
