/** Measures the contrast of the texts of a page: WCAG 2.2, success criterion 1.4.3. */
import type { Page } from 'playwright-core';

/** Runs in the browser: lists every text with the contrast between its colour and its background. */
const measure = (texts: string): string => `(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  // Handles every colour format, and transparency. A page has few colours, and reading a pixel takes long.
  const known = new Map();
  const channels = (colour) => {
    if (!known.has(colour)) known.set(colour, read(colour));
    return known.get(colour);
  };
  const read = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, alpha / 255];
  };
  const over = (top, ground) => [0, 1, 2].map((i) => top[i] * top[3] + ground[i] * (1 - top[3]));
  const luminance = (colour) => {
    const [r, g, b] = colour.map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const groundOf = (element) => {
    const layers = [];
    for (let each = element; each && layers.at(-1)?.[3] !== 1; each = each.parentElement) {
      layers.push(channels(getComputedStyle(each).backgroundColor));
    }
    return layers.reduceRight((ground, layer) => over(layer, ground), channels('Canvas'));
  };
  const colourOf = (element) => {
    const colour = [...channels(getComputedStyle(element).color)];
    for (let each = element; each; each = each.parentElement) colour[3] *= Number(getComputedStyle(each).opacity);
    return colour;
  };
  // Elements for screen readers only have the size of a pixel.
  const isSeen = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && width > 1 && height > 1;
  };
  const hasText = ({ childNodes }) =>
    [...childNodes].some((node) => node.nodeType === 3 && /[^\\s\\u200b]/.test(node.data));
  return [...document.querySelectorAll(${JSON.stringify(texts)})].filter(hasText).filter(isSeen).map((element) => {
    const ground = groundOf(element);
    const pair = [over(colourOf(element), ground), ground].map(luminance);
    const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    return { text: element.textContent.trim().slice(0, 40), ratio };
  });
})()`;

export interface ReadText {
  readonly text: string;
  /** From 1, unreadable, to 21. */
  readonly ratio: number;
}

/** @param texts - a selector of the elements to check */
export async function contrastsOf(page: Page, texts = 'main *'): Promise<readonly ReadText[]> {
  return await page.evaluate<readonly ReadText[]>(measure(texts));
}
