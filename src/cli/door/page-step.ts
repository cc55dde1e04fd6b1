/** Lets people see the pages. */

import type Koa from 'koa';
import { KoaRequest, pathOf, sendResponse } from '../../adapters/transport/koa-message.js';
import type { FoundPage, Pages } from '../../adapters/web/pages.js';
import { Problem } from '../../engine/index.js';
import type { Refuse } from './refuse.js';

/** What is no page is left to what is behind. */
export function pageStep(pages: Pages, refuse: Refuse): Koa.Middleware {
  return (context, next) => {
    const page = pages.find(new KoaRequest(context, pathOf(context)));
    if (page === undefined) return next();
    context.state['operation'] = page.name;
    return answer(context, page, refuse);
  };
}

async function answer(context: Koa.Context, page: FoundPage, refuse: Refuse): Promise<void> {
  try {
    sendResponse(context, await page.answer());
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    refuse(context, error);
  }
}
