/** The first minute with the READMEs: their commands, typed as they are in a fresh clone. */

import { expect } from 'chai';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';
import { Newcomer, type Shell, programAbsence } from './newcomer.js';
import { block, blockAt } from './readme-blocks.js';
import { pages } from './pages.js';

(programAbsence === '' ? describe : describe.skip)(
  programAbsence === ''
    ? "README: a newcomer's first minute"
    : `README: the first minute (skipped: ${programAbsence})`,
  () => {
    let newcomer: Newcomer;
    let port = 0;
    let [first, second, third]: Shell[] = [];

    before(async () => {
      newcomer = new Newcomer();
      port = await freePort();
      // The port is a test's: there, 3000 may be taken.
      first = newcomer.terminal({ PORT: String(port) }, true);
      [second, third] = [newcomer.terminal(), newcomer.terminal()];
    });
    after(() => newcomer.leave());

    it('starts the service, which says what the README shows', async () => {
      // `npm ci` asks a registry: here the clone has what it brings, and CI runs it on a clean checkout.
      expect(block('start')).to.equal('npm ci && npm start\n');
      first?.type('npm start\n');
      const message = blockAt('start message', port);
      await until('it says all of it', () => (first?.output ?? '').includes(message));
      expect(message).to.include(`:${String(port)}/graphql`);
    });

    it('signs in, and is told who is signed in', async () => {
      const output = await second?.run(blockAt('sign in', port));
      const profile = JSON.parse(output ?? '') as Readonly<Record<string, unknown>>;
      const shown = JSON.parse(block('profile')) as Readonly<Record<string, unknown>>;
      expect(profile['createdAt']).to.match(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{6}Z$/);
      const times = { createdAt: shown['createdAt'], updatedAt: shown['updatedAt'] };
      expect(times.createdAt).to.match(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{6}Z$/);
      expect({ ...profile, ...times }).to.deep.equal(shown);
    });

    it('waits for a service that is not up yet, and prints no stack if none comes', async () => {
      const command = blockAt('sign in', await freePort());
      expect(command).to.include('--retry 30 --retry-connrefused');
      const output = await second?.run(`(${command.trimEnd().replace('--retry 30', '--retry 0')}) 2>&1`);
      expect(output).not.to.match(/SyntaxError|at JSON/);
    });

    it('watches posts, and sees the one that it creates', async () => {
      third?.type(blockAt('watch', port));
      await until('it is subscribed', () => /^id: [0-9]+\n\n$/.test(third?.output ?? ''));
      const answer = await second?.run(blockAt('create a post', port));
      expect(JSON.parse(answer ?? '')).to.deep.equal({ data: { createPost: { id: '4' } } });
      await until('the post is shown', () => third?.output === `${block('post added')}\n`);
    });

    it('sends the requests of the README of the service', async () => {
      const requests = blockAt('requests', port).trimEnd().split('\n');
      // They work as often as they are sent.
      for (const round of ['first', 'second']) {
        const answers: string[] = [];
        for (const request of requests) answers.push((await second?.run(`${request} 2>/dev/null`)) ?? '');
        const heads = answers.filter((answer) => answer !== '');
        const statuses = heads.map((answer) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]));
        expect(statuses, round).to.deep.equal([200, 200, 200, 200, 201, 400, 200, 409]);
        checkAnswers(heads);
      }
    });

    it('starts a project that lists the packed packages', async function () {
      // It builds and packs five packages.
      this.timeout(180_000);
      const commands = block('start from a clone');
      expect(commands).to.match(/^npm ci && npm run pack /);
      const shell = newcomer.terminal();
      const output = await shell.run(commands.replace('npm ci && ', ''));
      expect(output).to.match(/^Next: npm install && npm run dev$/m);
      const listed = await shell.run('pwd; cat package.json');
      expect(listed)
        .to.match(/\/shop\n/)
        .and.to.include('"file:../packages/concordat-runtime-0.3.0.tgz"');
    });

    it('installs the packed packages as the guide to a service of your own says', async () => {
      const [, make = '', install = '', start] = block('pack the packages').split('\n');
      const shell = newcomer.terminal();
      await shell.run(make);
      // `npm install` asks a registry for what the packages need: `npm run test:install` does so.
      const files = await shell.run(install.replace('npm install', 'echo'));
      expect(files.match(/concordat[\w-]*-0\.3\.0\.tgz/g)).to.have.length(5);
      expect(await shell.run('npm pkg get type')).to.include('module');
      expect(start).to.equal('npx concordat-service');
    });

    function checkAnswers(answers: readonly string[]): void {
      expect(answers[1]).to.include('<user><id>1</id>');
      const [, refusal = ''] =
        /is refused with `(\{.*?\})`/.exec(pages.get('src/service/README.md') ?? '') ?? [];
      expect(answers[5])
        .to.match(/\r\n\r\n\{"error"/)
        .and.include(refusal);
    }
  },
);
