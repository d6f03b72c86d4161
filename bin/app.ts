import { createBareApp, isBuilding } from '../lib/bare-app.ts';
import { ConfigError, upstreamWarnings } from '../lib/config.ts';

/** Checked when the template is built; other commands, such as `cdk bootstrap`, should not wait for it. */
const build = async (): Promise<void> => {
  const { addSecurityChecks, createApp } = await import('../lib/stack.ts');
  const { app, config } = createApp();
  for (const warning of upstreamWarnings(config)) console.warn(warning);
  await addSecurityChecks(app);
  app.synth();
};

const describe = (): void => {
  process.env.CDK_VALIDATION = 'false';
  createBareApp().synth();
};

try {
  if (isBuilding()) await build();
  else describe();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
