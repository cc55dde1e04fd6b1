/** The guides of the installed packages, as the `llms.txt` of each lists them, and as pages of HTML that need nothing from the network. */

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { HttpHandler, HttpResponse } from '@concordat/runtime';

const PACKAGES = [
  '@concordat/runtime',
  'concordat',
  '@concordat/tools',
  '@concordat/core',
  '@concordat/service',
];

export interface Guide {
  /** The name of its package. */
  readonly owner: string;
  /** The name of its file without the ending; only `reference` is in several packages. */
  readonly name: string;
  readonly title: string;
  /** A few words, without a full stop. */
  readonly use: string;
  readonly file: string;
}

/** The guides of the packages that code in a directory can import, or else of those that are installed beside this one. */
export function installedGuides(directory: string): readonly Guide[] {
  const places = [join(directory, 'package.json'), import.meta.filename];
  return PACKAGES.flatMap((owner) => {
    const folder = places.map((place) => folderOf(owner, place)).find((found) => found !== undefined);
    return folder === undefined ? [] : guidesOf(owner, folder);
  });
}

function folderOf(name: string, importer: string): string | undefined {
  try {
    return dirname(createRequire(importer).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

function guidesOf(owner: string, folder: string): readonly Guide[] {
  const list = readFileSync(join(folder, 'llms.txt'), 'utf8');
  return [...list.matchAll(/^- \[(.+?)\]\(guides\/([\w-]+)\.md\): (.+)$/gm)].map(
    ([, title = '', name = '', use = '']) => ({
      ...{ owner, name, title, use },
      file: join(folder, 'guides', `${name}.md`),
    }),
  );
}

/** The text of a guide, without the comments that mark its generated tables. */
export function textOf({ file }: Guide): string {
  return readFileSync(file, 'utf8').replaceAll(/^<!-- .* -->\n\n?/gm, '');
}

/** The text of a file of `guides/examples`, such as `tenants.ts`; undefined if no package has it. */
export function exampleOf(guides: readonly Guide[], name: string): string | undefined {
  const files = guides.map(({ file }) => join(dirname(file), 'examples', basename(name)));
  const file = files.find((each) => basename(each) === name && existsSync(each));
  return file === undefined ? undefined : readFileSync(file, 'utf8');
}

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
export async function guidePages(guides: readonly Guide[]): Promise<HttpHandler> {
  const toHtml = await htmlWriter();
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

/** Loads what turns Markdown into HTML, which only pages need. */
async function htmlWriter(): Promise<(markdown: string) => string> {
  const { Marked } = await import('marked');
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
  return (markdown) => marked.parse(markdown, { async: false });
}

/** The anchor that GitHub makes of a heading. */
function anchorOf(heading: string): string {
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
