/** Explains which records each operation reads or changes in a sandbox, as lines of text and as a page. */

import { type Html, filtered, html, reportPage } from '@concordat/runtime/terminal';
import type { Collection } from './collection.js';

/** The effect of an operation, or of a field of a GraphQL schema, on the records. */
export interface Explanation {
  /** `GET /users`, or `Query.users`. */
  readonly about: string;
  readonly tags?: readonly string[];
  readonly does?: { readonly action: string; readonly collection: Collection } | undefined;
  readonly why: string;
}

/** `GET /users: list users (path and method)`. */
export function explanationText({ about, does, why }: Explanation): string {
  const what = does === undefined ? 'no state' : `${does.action} ${does.collection.parts.name}`;
  return `${about}: ${what} (${why})`;
}

/** @param all - of each API, with its name */
export function explanationPage(
  all: readonly { readonly name?: string | undefined; readonly found: readonly Explanation[] }[],
): string {
  const rows = all.flatMap(({ found }) => found);
  const body = all.flatMap(({ name, found }) => {
    const about = name === undefined ? '' : `${name}: `;
    const collections = [...new Set(found.flatMap(({ does }) => does?.collection ?? []))];
    const stateless = found.filter(({ does }) => does === undefined);
    const roots = collections.filter((each) => aboveOf(each, collections) === undefined);
    const drawn = roots.map((each) => drawing(about, each, collections, found));
    const others = html`<section class="group records none">
      <h2>${about}No state</h2>
      <ul>
        ${stateless.map(itemOf)}
      </ul>
    </section>`;
    return stateless.length === 0 ? drawn : [...drawn, others];
  });
  const kept = rows.filter(({ does }) => does !== undefined).length;
  const head = html`<p>
    ${kept} of ${rows.length} operations read or write records. Each box has the records of one kind, with
    what is done to them, and the records below them.
  </p>`;
  const kinds = rows.map((each) => ({ kind: kindOf(each), tags: each.tags }));
  return reportPage('concordat mock --state', kinds, head, body);
}

const kindOf = ({ does }: Explanation): string => does?.action ?? 'no state';

/** The collection that has the longest part of the path. */
function aboveOf({ parts: { key } }: Collection, others: readonly Collection[]): Collection | undefined {
  const all = others.filter(({ parts }) => key.startsWith(`${parts.key}/`));
  return all.toSorted((a, b) => b.parts.key.length - a.parts.key.length)[0];
}

function drawing(
  about: string,
  collection: Collection,
  others: readonly Collection[],
  all: readonly Explanation[],
): Html {
  const { name, path, idMember, isSingle } = collection.parts;
  const below = others.filter((each) => aboveOf(each, others) === collection);
  const key = isSingle ? 'one record' : idMember === undefined ? path : `${path}, by ${idMember}`;
  return html`<section class="group records">
    <h2>${about}${name} <span class="quiet">${key}</span></h2>
    <ul>
      ${all.filter(({ does }) => does?.collection === collection).map(itemOf)}
    </ul>
    ${below.map((each) => drawing(about, each, others, all))}
  </section>`;
}

function itemOf(each: Explanation): Html {
  const kind = kindOf(each);
  const action = each.does && html`<code class="action">${kind}</code> `;
  return html`<li ${filtered({ kind, tags: each.tags })}>
    ${action}<span class="about">${each.about}</span> <span class="place">${each.why}</span>
  </li>`;
}
