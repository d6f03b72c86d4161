import { after, before, describe } from 'node:test';
import { faultyStackFacts } from './facts/faulty-stack-facts.ts';
import { functionFacts } from './facts/function-facts.ts';
import { gatewayFacts } from './facts/gateway-facts.ts';
import { recursionFacts } from './facts/recursion-facts.ts';
import { resourceFacts } from './facts/resource-facts.ts';
import { startFacts } from './facts/start-facts.ts';
import { streamingFacts } from './facts/streaming-facts.ts';
import { Running } from './fixture/running.ts';
import { createFixture } from './fixture/start-fixture.ts';

describe('the local cloud', () => {
  const running = new Running();
  before(async () => running.start(await createFixture()));
  after(() => running.end());

  gatewayFacts(running);
  streamingFacts(running);
  functionFacts(running);
  recursionFacts(running);
  resourceFacts(running);
  faultyStackFacts(running);
  startFacts(running);
});
