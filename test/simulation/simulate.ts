import { runCommand } from '../../lib/command.ts';
import { missedGoals } from './goals.ts';
import { readOptions, USAGE } from './options.ts';
import { report } from './report.ts';
import { simulate } from './run.ts';

await runCommand(USAGE, async (args) => {
  const options = readOptions(args);
  const start = Date.now();
  const simulation = await simulate(options);
  for (const line of report(simulation)) console.log(line);
  const seconds = (Date.now() - start) / 1000;
  console.log(
    `  simulated in ${seconds.toFixed(1)} s, ${simulation.happened.toLocaleString('en-US')} happenings`,
  );
  const missed = options.hasGoals ? missedGoals(simulation) : [];
  for (const goal of missed) console.error(`Missed: ${goal}.`);
  if (missed.length > 0) process.exitCode = 1;
});
