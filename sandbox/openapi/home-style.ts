/** The complete style of the home page. The CSP allows only its hash, so nothing else can style the page. */
export const homeStyle = `
:root { color-scheme: light dark; --ink: #16202b; --soft: #55636f; --paper: #fbfaf7; --line: #dcd8ce; --block: #f1eee6; --link: #0b5c6b; --mark: #0b5c6b; --warn: #9a3412 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ec; --soft: #9fadb8; --paper: #11171d; --line: #2b353f; --block: #19212a; --link: #6cc7d6; --mark: #6cc7d6; --warn: #f0a072 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", sans-serif; -webkit-text-size-adjust: 100% }
main { max-width: 46rem; margin: 0 auto; padding: clamp(1.5rem, 6vw, 4.5rem) clamp(1rem, 5vw, 2rem) 4rem }
h1 { font-size: clamp(1.75rem, 5vw, 2.4rem); line-height: 1.15; letter-spacing: -0.02em; margin: 0 0 .75rem; text-wrap: balance }
h2 { font-size: 1rem; margin: 0 0 .6rem }
p { margin: 0 0 .75rem; text-wrap: pretty }
.lead { font-size: 1.1rem; color: var(--soft) }
.mark { font: 600 .8rem/1 ui-monospace, "SF Mono", Menlo, Consolas, monospace; color: var(--mark); margin: 0 0 .9rem }
.mark::before { content: ""; display: inline-block; width: .55rem; height: .55rem; margin-right: .5rem; background: currentColor }
.mark.production { color: var(--warn) }
nav { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; margin-top: 1.25rem }
a { color: var(--link); text-underline-offset: .2em; text-decoration-thickness: 1px; padding: .25rem 0 }
a:hover { text-decoration-thickness: 2px }
a:focus-visible, pre:focus-visible { outline: 2px solid var(--link); outline-offset: 3px }
section { border-top: 1px solid var(--line); margin-top: 2rem; padding-top: 1.5rem }
code { font: .9em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace }
p code { white-space: nowrap }
pre { background: var(--block); margin: .75rem 0 0; padding: .8rem 1rem; overflow-x: auto; border-left: 3px solid var(--mark) }
dl { margin: 0 }
dl div { display: grid; grid-template-columns: 13rem 1fr; gap: 0 1.5rem; padding: .5rem 0 }
dl div + div { border-top: 1px dotted var(--line) }
dt { font-weight: 600 }
dt code { font-weight: 500 }
dd { margin: 0; color: var(--soft); overflow-wrap: anywhere; font-variant-numeric: tabular-nums }
@media (max-width: 36rem) { dl div { grid-template-columns: 1fr } }
`
