import { LocalCloudError } from '../local-cloud-error.ts';
import type { Template } from './schema.ts';

/** What a value of a template refers to: resources, parameters and pseudo parameters alike. */
function* namesIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* namesIn(item);
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'Ref') yield String(inner);
      else if (key === 'Fn::GetAtt')
        yield String(Array.isArray(inner) ? inner[0] : inner).split('.')[0] ?? '';
      else if (key === 'Fn::Sub')
        for (const [, name = ''] of JSON.stringify(inner).matchAll(/\$\{(\w+)/g)) yield name;
      yield* namesIn(inner);
    }
}

/** CloudFormation makes each resource after those that it refers to, and refuses a stack where that has no beginning. */
export const refuseCircles = ({ Resources }: Pick<Template, 'Resources'>): void => {
  const done = new Set<string>();
  const visit = (logicalId: string, path: readonly string[]): void => {
    const resource = Resources[logicalId];
    if (resource === undefined || done.has(logicalId)) return;
    const start = path.indexOf(logicalId);
    if (start >= 0)
      throw new LocalCloudError(`Circular dependency: ${[...path.slice(start), logicalId].join(' → ')}.`);
    const next = [...path, logicalId];
    for (const name of new Set([...namesIn(resource.Properties), ...(resource.DependsOn ?? [])]))
      visit(name, next);
    done.add(logicalId);
  };
  for (const logicalId of Object.keys(Resources)) visit(logicalId, []);
};
