/** The guides of the installed packages, as the `llms.txt` of each lists them, and as pages of HTML that need nothing from the network. */

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { HttpHandler, HttpResponse } from '@concordat/runtime';
import { Html, html } from '@concordat/runtime/terminal';
import { docsPage } from './docs-page.js';

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

/**
 * A handler with the list of the guides at `/`, and each at `/<package>/<name>.md`, so that their relative links work.
 *
 * @param beside - what the list begins with
 */
export async function guidePages(guides: readonly Guide[], beside?: Html): Promise<HttpHandler> {
  const toHtml = await htmlWriter();
  return ({ path }) => {
    const page = (title: string, inner: Html, status = 200): HttpResponse =>
      docsPage({
        title,
        body: html`<body>
          ${inner}
        </body>`,
        status,
      });
    if (path === '/') return page('Guides', html`${beside}${new Html(toHtml(listOf(guides)))}`);
    const guide = guides.find((each) => path === pathOf(each));
    const all = html`<a href="/">Guides</a>`;
    if (guide === undefined) return page('Not found', html`<p>There is no such guide. ${all}</p>`, 404);
    return page(
      guide.title,
      html`<p>${all} of ${guide.owner}</p>
        ${new Html(toHtml(textOf(guide)))}`,
    );
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
