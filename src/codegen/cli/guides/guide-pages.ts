/** Serves guides as pages of HTML, which need nothing from the network. */

import type { HttpHandler, HttpResponse } from '@concordat/runtime';
import { Marked } from 'marked';
import { type Guide, textOf } from './installed-guides.js';

/** The pages are made of the texts of guides alone; a script in one would not run. */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
};

const STYLE = `body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; color-scheme: light dark }
pre { padding: .75rem; overflow: auto; background: color-mix(in srgb, CanvasText 8%, Canvas) }
table { display: block; overflow: auto; border-collapse: collapse }
th, td { padding: .25rem .5rem; border: 1px solid color-mix(in srgb, CanvasText 25%, Canvas); text-align: left; vertical-align: top }`;

/** A handler with the list of the guides at `/`, and each at `/<package>/<name>.md`, so that their relative links work. */
export function guidePages(guides: readonly Guide[]): HttpHandler {
  return ({ path }) => {
    if (path === '/') return page('Guides', toHtml(listOf(guides)));
    const guide = guides.find((each) => path === pathOf(each));
    return guide === undefined
      ? page('Not found', '<p>There is no such guide. <a href="/">All guides</a></p>', 404)
      : page(guide.title, `<p><a href="/">Guides</a> of ${guide.owner}</p>\n${toHtml(textOf(guide))}`);
  };
}

function pathOf({ owner, name }: Guide): string {
  return `/${owner}/${name}.md`;
}

function listOf(guides: readonly Guide[]): string {
  const owners = [...new Set(guides.map(({ owner }) => owner))];
  const sections = owners.map((owner) => {
    const own = guides.filter((each) => each.owner === owner);
    return `## ${owner}\n\n${own.map((each) => `- [${each.title}](${pathOf(each)}): ${each.use}`).join('\n')}\n`;
  });
  return `# Guides\n\n${sections.join('\n')}`;
}

const marked = new Marked({
  async: false,
  renderer: {
    heading({ tokens, depth, text }) {
      const level = String(depth);
      return `<h${level} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    // Other files of a package are not served: their names remain as text.
    link({ href, tokens }) {
      return /^https?:|\.md(?:#|$)|^#|^\//.test(href) ? false : this.parser.parseInline(tokens);
    },
  },
});

function toHtml(markdown: string): string {
  return marked.parse(markdown, { async: false });
}

/** The anchor that GitHub makes of a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

function page(title: string, content: string, status = 200): HttpResponse {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style>`;
  return {
    status,
    headers: HEADERS,
    body: `<!doctype html>\n<html lang="en"><head>${head}</head>\n<body>\n${content}</body></html>\n`,
  };
}
