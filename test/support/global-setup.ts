import { shareAssembly } from './assembly.ts';

let remove: () => Promise<void> = async () => {};

export const globalSetup = async (): Promise<void> => {
  remove = await shareAssembly();
};

export const globalTeardown = (): Promise<void> => remove();
