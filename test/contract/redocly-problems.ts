/** Redocly's `recommended` rules, with broken examples as errors. */
import { BaseResolver, createConfig, lintFromString, loadIgnoreConfig } from '@redocly/openapi-core';
import type { Problem } from './problem.js';

/**
 * The problems that Redocly finds. An unused exception in `.redocly.lint-ignore.yaml` is a problem too.
 *
 * @param source - the document's text
 * @param file - absolute path of the text; the file of exceptions is next to it
 * @throws YamlParseError when the text is not YAML
 */
export async function redoclyProblems(source: string, file: string): Promise<Problem[]> {
  const ignore = await loadIgnoreConfig(file, new BaseResolver());
  const config = await createConfig(
    {
      extends: ['recommended'],
      rules: {
        'no-invalid-media-type-examples': 'error',
        'no-invalid-parameter-examples': 'error',
        'no-invalid-schema-examples': 'error',
      },
    },
    { ignore },
  );
  const found = await lintFromString({ source, absoluteRef: file, config });
  const problems = found.map(({ ruleId, message, location, ignored }) => ({
    rule: ruleId,
    place: location[0]?.pointer ?? '#',
    message,
    ignored: ignored === true,
  }));
  const unused = Object.entries(ignore[file] ?? {}).flatMap(([rule, places]) =>
    [...places]
      .filter((place) => !problems.some((problem) => problem.rule === rule && problem.place === place))
      .map((place) => ({ rule, place, message: 'The exception for this place excuses nothing.' })),
  );
  const open = problems.filter(({ ignored }) => !ignored);
  return [...open.map(({ rule, place, message }) => ({ rule, place, message })), ...unused];
}
