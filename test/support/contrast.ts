/** How well the texts of a page can be read: WCAG 2.2, success criterion 1.4.3. */
import type { Page } from 'playwright-core';

/** Runs in the browser: every text with the contrast between its colour and the ground behind it. */
const measure = `(() => {
  const channels = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = (colour) => {
    const [r, g, b] = channels(colour).map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const groundOf = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const colour = getComputedStyle(each).backgroundColor;
      if (channels(colour)[3] !== 0) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  return [...document.querySelectorAll('main *')]
    .filter((element) => element.checkVisibility())
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .map((element) => {
      const pair = [getComputedStyle(element).color, groundOf(element)].map(luminance);
      const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
      return { text: element.textContent.trim().slice(0, 40), ratio };
    });
})()`;

export interface ReadText {
  readonly text: string;
  /** From 1, unreadable, to 21. */
  readonly ratio: number;
}

export async function contrastsOf(page: Page): Promise<readonly ReadText[]> {
  return await page.evaluate<readonly ReadText[]>(measure);
}
