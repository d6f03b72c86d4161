/** Where a local cloud pretends to be. */
export const HOME = { region: 'us-east-1', accountId: '000000000000' };
