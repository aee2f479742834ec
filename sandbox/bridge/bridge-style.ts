export const bridgeStyle = `
:root { color-scheme: light dark; --ink: #16202b; --soft: #55636f; --ground: #eceae3; --paper: #fffefb; --line: #d5d1c6; --edge: #80898f; --hover: #f3f1ea; --act: #0b5c6b; --on: #fff; --bad: #a3251f; --badground: #fbeeec; --wait: #8a5a06; --good: #1f6b46 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ec; --soft: #a3b0ba; --ground: #0c1116; --paper: #141b22; --line: #2b353f; --edge: #75828d; --hover: #1c252e; --act: #6cc7d6; --on: #08232a; --bad: #ff9d94; --badground: #2d1a1a; --wait: #eab768; --good: #74cf9f }
}
* { box-sizing: border-box }
[hidden] { display: none !important }
body { margin: 0; min-height: 100dvh; background: var(--ground); color: var(--ink); font: 16px/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", sans-serif; -webkit-text-size-adjust: 100% }
main { max-width: 27rem; min-height: 100dvh; margin: 0 auto; padding: 0 1.5rem 1.75rem; background: var(--paper) }
header { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding: .75rem 0; margin-bottom: 1.5rem; border-bottom: 1px solid var(--line) }
h1 { font-size: 1.375rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 .4rem; text-wrap: balance; outline: none }
p { margin: 0 }
.mark { font-size: .8125rem; color: var(--soft) }
.lead { color: var(--soft); margin-bottom: 1.25rem; text-wrap: pretty }
.aside { font-size: .875rem; color: var(--soft); border-top: 1px solid var(--line); padding-top: .9rem; margin-top: 1.75rem }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.field { margin-bottom: 1rem }
.field label, legend { display: block; font-weight: 600; font-size: .9375rem; margin-bottom: .3rem; padding: 0 }
input:not([type=radio]) { width: 100%; height: 2.75rem; padding: 0 .75rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--edge); border-radius: 4px; font-variant-numeric: tabular-nums }
input[aria-invalid] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad) }
.hint { font-size: .875rem; color: var(--soft); margin-top: .3rem }
.error { font-size: .875rem; color: var(--bad); margin-top: .2rem }
.failure { color: var(--bad); background: var(--badground); padding: .7rem .85rem; border-radius: 4px; margin-bottom: 1rem }
fieldset { border: 0; padding: 0; margin: 0 0 1.25rem; min-width: 0 }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem }
.choice { display: flex; gap: .75rem; align-items: baseline; padding: .7rem .8rem; border: 1px solid var(--edge); border-radius: 4px; cursor: pointer }
fieldset:not(.pair) .choice + .choice { margin-top: .5rem }
.choice span { color: var(--soft); font-size: .9375rem }
.choice b { display: block; color: var(--ink); font-weight: 600; font-size: 1rem }
.pair .choice span { color: var(--ink) }
.choice .digits { color: var(--soft); font-weight: 400; font-variant-numeric: tabular-nums }
.choice:hover { background: var(--hover) }
.choice:has(:checked) { border-color: var(--act); box-shadow: inset 0 0 0 1px var(--act) }
.choice input { accent-color: var(--act); width: 1.05rem; height: 1.05rem; margin: 0; flex: none; translate: 0 .15rem }
.banks { list-style: none; margin: 0 -.75rem .75rem; padding: 0 }
.banks button { width: 100%; min-height: 2.9rem; display: flex; align-items: center; justify-content: space-between; text-align: left; padding: .4rem .75rem; font: inherit; color: inherit; background: none; border: 0; border-radius: 4px; cursor: pointer }
.banks li + li::before { content: ""; display: block; height: 1px; margin: 0 .75rem; background: var(--line) }
.banks button::after { content: ""; width: .45rem; height: .45rem; margin-left: 1rem; flex: none; border: solid var(--soft); border-width: 1.5px 1.5px 0 0; rotate: 45deg }
.banks button:hover { background: var(--hover) }
.none { color: var(--soft); padding: .5rem 0 1rem }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.25rem }
.actions button:not(.quiet) { min-height: 2.75rem; padding: .4rem 1.4rem; font: inherit; font-weight: 600; color: var(--on); background: var(--act); border: 0; border-radius: 4px; cursor: pointer }
.actions button:not(.quiet):hover { filter: brightness(1.1) }
button[aria-disabled=true] { cursor: progress; opacity: .75 }
.quiet { min-height: 2.75rem; padding: 0; font: inherit; font-size: .9375rem; color: var(--act); background: none; border: 0; cursor: pointer; text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: .2em; text-align: left }
.quiet:hover { text-decoration-thickness: 2px }
:is(button, input):focus-visible { outline: 3px solid var(--act); outline-offset: 2px }
.choice:has(:focus-visible) { outline: 3px solid var(--act); outline-offset: 2px }
.choice :focus-visible { outline: none }
.result::before { content: ""; display: block; width: 2.5rem; height: 4px; margin-bottom: 1rem; background: var(--good) }
.result:is(.review, .pending)::before { background: var(--wait) }
.result.rejected::before { background: var(--bad) }
.result .account { font-weight: 600; margin-bottom: .4rem; overflow-wrap: anywhere }
.result .lead:last-child { margin: 0 }
@media (prefers-reduced-motion: no-preference) {
  [data-busy] button[type=submit] { animation: breathe 1.6s ease-in-out infinite }
  @keyframes breathe { 50% { opacity: .5 } }
}
@media (min-width: 36rem) and (min-height: 40rem) {
  body { padding: clamp(1rem, 8vh, 5rem) 1rem }
  main { min-height: 0; padding: 0 2rem 2rem; border: 1px solid var(--line); border-radius: 6px }
}
`
