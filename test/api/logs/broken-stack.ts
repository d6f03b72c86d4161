import * as z from 'zod';

const templateSchema = z.looseObject({
  Resources: z.record(
    z.string(),
    z.looseObject({
      Type: z.string(),
      Properties: z.looseObject({
        Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }).optional(),
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

export const breakStack = (text: string): string => {
  const template = templateSchema.parse(JSON.parse(text));
  for (const [id, { Type, Properties }] of Object.entries(template.Resources)) {
    const name = WRONG[id.replace(/[0-9A-F]{8}$/, '')];
    const variables = Properties.Environment?.Variables;
    if (Type === 'AWS::Lambda::Function' && name !== undefined && variables !== undefined)
      variables[name] = { 'Fn::Join': ['', [variables[name], '-nowhere']] };
  }
  return JSON.stringify(template);
};
