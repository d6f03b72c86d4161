import { after, before, describe } from 'node:test';
import { type Service, startService } from '../support/service.ts';
import { failureFacts } from './images/failure-facts.ts';
import { googleFacts } from './images/google-facts.ts';
import { limitFacts } from './images/limit-facts.ts';
import { openAiFacts } from './images/openai-facts.ts';
import { useFacts } from './images/use-facts.ts';

/** Side by side, because some of them wait half a minute for the upstream. */
describe('the image endpoints', { concurrency: true }, () => {
  let running: Service;
  before(async () => {
    running = await startService();
  });
  after(() => running.close());

  for (const facts of [limitFacts, openAiFacts, googleFacts, failureFacts, useFacts]) facts(() => running);
});
