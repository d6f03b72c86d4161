import * as z from 'zod';

const templateSchema = z.looseObject({
  Resources: z.record(
    z.string(),
    z.looseObject({
      Properties: z.looseObject({
        Environment: z.looseObject({ Variables: z.record(z.string(), z.unknown()) }).optional(),
      }),
    }),
  ),
});

/** Variables that name something which is not there, so that faults can be watched. */
const WRONG: Readonly<Record<string, string>> = {
  CreateVideo: 'STEP_QUEUE_URL',
  GetGeneration: 'TASK_TABLE',
  GenerateContent: 'CHARGE_TABLE',
};

/** Adds a broken copy of these functions; no route leads to it. */
export const withBrokenCopies = (text: string): string => {
  const { Resources, ...template } = templateSchema.parse(JSON.parse(text));
  const copies = Object.entries(Resources).flatMap(([id, { Properties, ...resource }]) => {
    const name = WRONG[id.replace(/[0-9A-F]{8}$/, '')];
    const { Variables, ...rest } = Properties.Environment ?? {};
    if (name === undefined || Variables === undefined) return [];
    const wrong = { 'Fn::Join': ['', [Variables[name], '-nowhere']] };
    const Environment = { ...rest, Variables: { ...Variables, [name]: wrong } };
    return [[`Broken${id}`, { ...resource, Properties: { ...Properties, Environment } }]];
  });
  // First, so that those who collect the variables of all functions have the right ones.
  return JSON.stringify(
    { ...template, Resources: { ...Object.fromEntries(copies), ...Resources } },
    undefined,
    1,
  );
};
