/** The faults of meaning that can be planted into the market's server, each with the rules that find it. */

import type { Rule } from '../../../../src/tools/verify/run/verify-report.js';

/** None: it does not follow from the schema, or no rule finds it. */
const NONE: readonly Rule[] = [];

export const MARKET_FAULTS = {
  'first is ignored': ['wrong-page'],
  'a page has one record too many': ['wrong-page'],
  'after is ignored': ['wrong-page'],
  'pages overlap': ['wrong-page'],
  'hasNextPage is always false': ['wrong-page'],
  'hasNextPage is always true': ['wrong-page'],
  'endCursor is that of the first record': ['wrong-page'],
  'the default of limit is not applied': NONE,
  'offset is ignored': ['wrong-page'],
  'totalCount is the size of the page': ['wrong-total'],
  'totalCount counts deleted records': ['wrong-total'],
  'totalCount ignores the filter': ['wrong-total'],
  'a filter by an enum is ignored': ['wrong-filter'],
  'a filter by false is ignored': ['wrong-filter'],
  'a filter finds one record only': ['wrong-filter'],
  'the order is ignored': ['wrong-order'],
  'a descending order ascends': ['wrong-order'],
  'a created product is not listed': ['wrong-list'],
  'a deleted product is listed': ['wrong-list'],
  'the list shows another price': ['wrong-list'],
  'a deletion empties the list': ['wrong-list'],
  'a product is on the first shelf': ['wrong-parent'],
  'reviews of all products are listed': ['wrong-parent'],
  'a review is not found below its product': ['wrong-list'],
  'a review of a missing product is created': ['wrong-parent', 'server-error'],
  'texts are escaped for HTML': ['changed'],
  'texts are cut after 20 characters': ['changed'],
  '0 is dropped': ['changed'],
  'false is dropped': ['changed'],
  'an empty text is dropped': NONE,
  'a list loses its last item': ['changed'],
  'prices are rounded': ['changed'],
  'a default is not applied': ['changed'],
  'a creation is not stored': ['lost'],
  'a change is not stored': ['changed'],
  'a change clears the other members': ['changed'],
  'a change answers the old record': ['changed'],
  'a change ignores null': ['changed'],
  'a deletion is not stored': ['not-deleted'],
  'an enum has another value in the list': ['wrong-answer', 'server-error'],
  'a shelf without products has null for its name': ['wrong-answer', 'server-error'],
  'an error stands beside the whole data': ['wrong-answer'],
  'an id is used again after a deletion': NONE,
  'createdAt is that of yesterday': NONE,
} as const satisfies Readonly<Record<string, readonly Rule[]>>;

export type MarketFault = keyof typeof MARKET_FAULTS;
