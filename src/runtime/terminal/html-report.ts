/** Writes a report as a page to look at: counts with bars, then the findings, which unfold to their proof. */

import type { Exhibit, Finding, FindingPlace, Report } from './finding.js';
import { type Html, html } from './html.js';
import { filtered, reportPage } from './html-page.js';

const LEVELS = ['error', 'warning', 'note'] as const;
const TITLES = { error: 'Errors', warning: 'Warnings', note: 'Notes' } as const;

/** A row folds with the others of its operation, if these are more. */
export function htmlReport({ command, cases, findings, summary = [], shares = [] }: Report): string {
  const rows = findings.map(({ rule, kind = rule, tags }) => ({ kind, tags }));
  const head = html`${summary.map((text) => html`<p class="lines">${text}</p>`)}
    <ul class="counts">
      ${LEVELS.map((level) => {
        const count = findings.filter((each) => each.level === level).length;
        const colour = count === 0 ? 'note' : level;
        return html`<li class="${colour}">
          <b>${count}</b> ${(count === 1 ? level : TITLES[level]).toLowerCase()}
        </li>`;
      })}
      <li class="note"><b>${cases.length}</b> checked</li>
    </ul>
    ${shares.length > 0 ? sharesTable(shares) : rulesTable(findings)}`;
  const sections = LEVELS.flatMap((level) => {
    const own = findings.filter((each) => each.level === level);
    const groups = [...groupedBy(own, ({ about }) => about)];
    return own.length === 0
      ? []
      : [
          html`<details class="group" open>
            <summary><h2>${TITLES[level]} (${own.length})</h2></summary>
            ${groups.map(([about, each]) => groupOf(about, each))}
          </details>`,
        ];
  });
  const body = sections.length === 0 ? [html`<p class="good">Nothing was found.</p>`] : sections;
  return reportPage(command, rows, head, body);
}

function groupOf(about: string, findings: readonly Finding[]): Html {
  const [first] = findings;
  if (findings.length === 1 && first !== undefined) return rowOf(first, about);
  const isOpen = first?.level === 'error' ? html` open` : undefined;
  return html`<details class="group" ${isOpen}>
    <summary><span class="about">${about}</span> <span class="quiet">(${findings.length})</span></summary>
    ${findings.map((each) => rowOf(each))}
  </details> `;
}

/** @param about - shown before the message */
function rowOf(finding: Finding, about?: string): Html {
  const {
    rule,
    kind = rule,
    level,
    message,
    place,
    details,
    tags,
    places = place === undefined ? [] : [place],
  } = finding;
  const exhibits = finding.exhibits ?? (details === undefined ? [] : [{ title: 'Details', text: details }]);
  const figures = [...exhibits.map(figureOf), ...places.flatMap(linesOf)];
  const line = html`<code class="${level}">${kind}</code> ${
      about === undefined ? undefined : html`<span class="about">${about}</span>: `
    }${message}${place && html` <span class="place">${placeText(place)}</span>`}`;
  const attributes = filtered({ kind, tags });
  return figures.length === 0
    ? html`<div class="row" ${attributes}>${line}</div> `
    : html`<details class="row" ${attributes}>
        <summary>${line}</summary>
        ${figures}
      </details> `;
}

export function placeText({ file, line }: FindingPlace): string {
  return line === undefined ? file : `${file}:${String(line)}`;
}

function figureOf({ title, text }: Exhibit): Html {
  return html`<figure>
    <figcaption>${title}</figcaption>
    <pre>${text}</pre>
  </figure> `;
}

function linesOf(place: FindingPlace): readonly Html[] {
  const { around, line: marked } = place;
  if (around === undefined) return [];
  const lines = around.lines.map((line, index) => {
    const number = around.first + index;
    return number === marked
      ? html`<mark><i>${number}</i>${line}</mark>`
      : html`<span><i>${number}</i>${line}</span>`;
  });
  return [
    html`<figure>
      <figcaption>${placeText(place)}</figcaption>
      <pre>${lines}</pre>
    </figure> `,
  ];
}

/** How many findings each rule has, with a bar for each level. */
function rulesTable(findings: readonly Finding[]): Html | undefined {
  const rules = [...groupedBy(findings, ({ rule }) => rule)].toSorted(([, a], [, b]) => b.length - a.length);
  if (findings.length === 0) return undefined;
  const rows = rules.map(([rule, own]) => {
    const parts = LEVELS.map((level) => [level, own.filter((each) => each.level === level).length] as const);
    return html`<tr>
      <th scope="row"><code>${rule}</code></th>
      <td class="number">${own.length}</td>
      <td>${barOf(parts, findings.length)}</td>
    </tr>`;
  });
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Kind</th>
        <th scope="col" class="number">Found</th>
        <td></td>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

function sharesTable(shares: NonNullable<Report['shares']>): Html {
  const rows = shares.map(({ name, part, whole }) => {
    const share = whole === 0 ? '–' : `${String(Math.floor((part * 100) / whole))} %`;
    return html`<tr>
      <th scope="row">${name}</th>
      <td class="number">${part} of ${whole}</td>
      <td class="number">${share}</td>
      <td>${barOf([['good', part]], whole)}</td>
    </tr>`;
  });
  return html`<table>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

/** An image, because a style of an element is what the policy of the page forbids. The number beside it says the same. */
function barOf(parts: readonly (readonly [colour: string, count: number])[], whole: number): Html {
  let from = 0;
  const rects = parts.map(([colour, count]) => {
    const width = whole === 0 ? 0 : (count * 100) / whole;
    const rect = html`<rect class="${colour}" x="${from}" width="${width}" height="1" />`;
    from += width;
    return rect;
  });
  return html`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
    ${rects}
  </svg>`;
}

function groupedBy(
  findings: readonly Finding[],
  keyOf: (finding: Finding) => string,
): ReadonlyMap<string, readonly Finding[]> {
  const groups = new Map<string, Finding[]>();
  for (const each of findings) {
    const known = groups.get(keyOf(each));
    if (known === undefined) groups.set(keyOf(each), [each]);
    else known.push(each);
  }
  return groups;
}
