/** The style of the service's own pages: one column, the colour scheme that the reader prefers, the system's fonts. */

/** Text has a contrast of at least 7:1 to its background in both colour schemes (WCAG 2.2, success criterion 1.4.6). */
export const style = `:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f3f5f8; --text: #16202c; --quiet: #45505e; --line: #c3cad4; --link: #0b4a9e; --focus: #b14a00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161c; --raised: #1c222b; --text: #edf1f6; --quiet: #b8c2ce; --line: #475161; --link: #9cc7ff; --focus: #ffb066;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { margin: 0 0 .25rem; font-size: 1.9rem; line-height: 1.2; }
h2 { margin: 2.25rem 0 .75rem; font-size: 1.2rem; }
p { margin: .5rem 0; }
.quiet { color: var(--quiet); }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: .75rem; margin: 0; padding: 0; list-style: none; }
.cards li, .box { padding: .9rem 1rem; background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; }
.cards a { font-weight: 600; }
.cards p { margin: .2rem 0 0; color: var(--quiet); }
pre { margin: .5rem 0; padding: .8rem 1rem; overflow-x: auto; background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; }
code, pre, output, td { font-family: ui-monospace, monospace; font-size: .9rem; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .35rem .5rem .35rem 0; border-bottom: 1px solid var(--line); text-align: left; overflow-wrap: anywhere; }
th { font-weight: 600; color: var(--quiet); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; margin: 0; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
button { min-height: 2.75rem; padding: .5rem 1rem; font: inherit; font-weight: 600; color: var(--ground); background: var(--link); border: 0; border-radius: .4rem; cursor: pointer; }
.row { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; }
[hidden] { display: none !important; }
`;
