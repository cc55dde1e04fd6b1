/** Projects of contracts that the generator is tried on: each compiles, and has a handler per operation. */

import { expect } from 'chai';
import { contracts, printSkipped, schemas, triesAll } from '../contract-list.js';
import { useProjects } from './new-project.js';
import { someOf } from '../../support/budget.js';

/** The compiler takes half a minute for it, and a second for each of the others. */
const LARGE = 'github-rest.openapi-3.0.json';

describe('concordat init: the project of', function () {
  this.timeout(triesAll ? 300_000 : 120_000);
  const newProject = useProjects();

  printSkipped(LARGE);
  const all = [...contracts, ...schemas.map((schema) => ({ ...schema, accept: [] }))];
  const listed = all.filter((each) => triesAll || each.name !== LARGE);
  for (const { name, file, accept } of someOf(listed, 3, 2)) {
    it(name, async () => {
      const project = await newProject();
      const { notes } = await project.init(file, ...accept.flatMap((feature) => ['--accept', feature]));
      expect(notes).to.deep.equal([]);
      expect((await project.init()).written).to.deep.equal([]);
      expect(project.typeProblems()).to.deep.equal([]);
    });
  }
});
