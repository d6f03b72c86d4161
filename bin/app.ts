import { ConfigError, upstreamWarnings } from '../lib/config.ts';
import { addSecurityChecks, createApp, createBareApp, isBuilding } from '../lib/stack.ts';

/** Checked when the template is built; other commands, such as `cdk bootstrap`, should not wait for it. */
const build = async (): Promise<void> => {
  const { app, config } = createApp();
  for (const warning of upstreamWarnings(config)) console.warn(warning);
  await addSecurityChecks(app);
  app.synth();
};

const describe = (): void => {
  process.env.CDK_VALIDATION = 'false';
  try {
    createApp().app.synth();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    createBareApp().synth();
  }
};

try {
  if (isBuilding()) await build();
  else describe();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
