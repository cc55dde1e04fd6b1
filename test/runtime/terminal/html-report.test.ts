/** The page of a report: no text of a contract or of a server becomes part of its HTML, and its policy lets nothing else run. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type Report, reportText } from '@concordat/runtime/terminal';

const HOSTILE = `</script></style></title><img src=x onerror=alert(1)>"'><b data-kind='`;

const FINDING = { rule: 'x', level: 'error', message: 'is wrong', about: 'GET /a' } as const;

const page = (report: Partial<Report>): string =>
  reportText('html', { command: 'concordat diff', cases: ['GET /a'], findings: [], ...report });

describe('the page of a report', () => {
  it('allows its own script and style by their hashes, and nothing else', () => {
    const text = page({ findings: [FINDING] });
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(text)?.[1] ?? '';
    const hashes = ['style', 'script'].map((name) => {
      const [, content = ''] = new RegExp(`<${name}>([^]*?)</${name}>`).exec(text) ?? [];
      return `${name}-src 'sha256-${createHash('sha256').update(content).digest('base64')}'`;
    });
    expect(policy.replaceAll('&#39;', "'")).to.equal(
      `default-src 'none'; img-src data:; ${hashes.join('; ')}; base-uri 'none'; form-action 'none'`,
    );
  });

  it('has the colours of the pages of the service', () => {
    const text = page({});
    const theme = readFileSync('src/service/pages/files/theme.css', 'utf8');
    for (const [, colour = ''] of theme.matchAll(/(--(?!code|type)\w+: #\w+);/g))
      expect(text).to.include(colour);
  });

  it('escapes every text', () => {
    const plain = page({
      findings: [
        { ...FINDING, details: 'd', places: [{ file: 'f', line: 1, around: { first: 1, lines: ['l'] } }] },
      ],
      summary: ['s'],
      shares: [{ name: 'n', part: 1, whole: 2 }],
    });
    const hostile = page({
      command: HOSTILE,
      cases: [HOSTILE],
      findings: [
        {
          rule: HOSTILE,
          level: 'error',
          message: HOSTILE,
          about: HOSTILE,
          place: { file: HOSTILE },
          places: [{ file: HOSTILE, line: 1, around: { first: 1, lines: [HOSTILE] } }],
          exhibits: [{ title: HOSTILE, text: HOSTILE }],
          tags: [HOSTILE],
        },
      ],
      summary: [HOSTILE],
      shares: [{ name: HOSTILE, part: 1, whole: 2 }],
    });
    const tagsOf = (text: string): readonly string[] => [...text.matchAll(/<\/?(\w+)/g)].map(([tag]) => tag);
    // Only the place of the row is more.
    expect(tagsOf(hostile).length).to.equal(tagsOf(plain).length + 2);
    expect(hostile).not.to.include('<img').and.not.to.include('<b data');
  });

  it('folds the findings of one operation together, and says what there is of each kind', () => {
    const text = page({
      findings: [
        FINDING,
        { ...FINDING, rule: 'y' },
        { ...FINDING, about: 'GET /b', level: 'note', details: 'because' },
      ],
    });
    expect(text).to.match(/<b>2<\/b> errors\s[^]*<b>0<\/b> warnings\s[^]*<b>1<\/b> note\s/);
    expect(text).to.match(/Errors \(2\)[^]*class="about">GET \/a<\/span> <span class="quiet">\(2\)/);
    expect(text).to.match(/<details class="row"[^>]*>\s*<summary>[^]*GET \/b[^]*because/);
    expect(page({})).to.include('Nothing was found.');
  });
});
