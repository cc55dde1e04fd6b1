/** Finds guides by the words of a task, such as `reject a request`. */

import { type Guide, textOf } from './guides.js';

/** The most guides that a task finds: the reader looks through them. */
const MOST = 5;

/** The score of a word by the place where it is first found. It is highest at the top of a page, whose words are chosen with care. */
const WEIGHTS = { name: 6, title: 5, use: 4, heading: 3, text: 1 };

/** Words of questions that are in every guide. */
const COMMON = new Set(
  (
    'a about add all an and another any are as at be between by can change concordat could do does for from get guide how i if in into ' +
    'is it its make me my need not of on one or other our out over set should show so some than that the their then there these they ' +
    'this to up use using want was way we what when where which who why will with without work would you your'
  ).split(' '),
);

/**
 * The guides that fit the words of a task, the best first.
 *
 * @param task - what the reader wants to do, in any words
 */
export function findGuides(guides: readonly Guide[], task: string): readonly Guide[] {
  const wanted = [...new Set(stemsOf(task).filter((stem) => !COMMON.has(stem)))];
  const indexes = guides.map((guide) => ({ guide, weights: weightsOf(guide) }));
  const worths = wanted.map((stem) => {
    const holders = indexes.filter(({ weights }) => weights.has(stem)).length;
    return [stem, Math.log(1 + guides.length / Math.max(1, holders))] as const;
  });
  const worth = new Map(worths);
  const scored = indexes.map(({ guide, weights }) => ({
    guide,
    score: wanted.reduce((sum, stem) => sum + (weights.get(stem) ?? 0) * (worth.get(stem) ?? 0), 0),
  }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  return scored
    .filter(({ score }) => score > 0 && score > best / 3)
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST)
    .map(({ guide }) => guide);
}

/** The scores of the words of a guide: by the most prominent place of each, and a little more for repetitions. */
function weightsOf(guide: Guide): ReadonlyMap<string, number> {
  const text = textOf(guide);
  const headings = [...text.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) => heading).join(' ');
  const weights = new Map<string, number>();
  for (const stem of stemsOf(text))
    weights.set(stem, Math.min(2, (weights.get(stem) ?? 0.8) + 0.2) * WEIGHTS.text);
  const places = { heading: headings, use: guide.use, title: guide.title, name: guide.name };
  for (const [place, words] of Object.entries(places)) {
    const weight = WEIGHTS[place as keyof typeof places];
    for (const stem of new Set(stemsOf(words))) weights.set(stem, (weights.get(stem) ?? 0) + weight);
  }
  return weights;
}

/** The words of a text in lower case, without the endings that a question may have otherwise. */
function stemsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((word) =>
    COMMON.has(word) ? word : word.replace(/(?<=\w{3})(?:ations?|ions?|ings?|ers?|ed|es|s|e)$/, ''),
  );
}
