/** Lets people see the pages. */

import type Koa from 'koa';
import { KoaRequest, pathOf, sendResponse } from 'concordat/koa';
import type { FoundPage, Pages } from '../pages.js';
import { Problem } from 'concordat';
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
