/**
 * These tests list tables, read logs, count calls or keep all workers busy, so no other test file uses their service.
 * They share it and run one after another: first the one that reads the calls of all functions, later those that clear
 * them, and those that occupy the workers last.
 * Events for silent endpoints are tried again and again until the service ends, so they come at the very end.
 * Static imports would be evaluated side by side, in no fixed order.
 */
await import('./observed/malformed-forms.ts');
await import('./observed/permissions.ts');
await import('./observed/aws-calls.ts');
await import('./observed/role-matrix.ts');
await import('./observed/limits.ts');
await import('./observed/people.ts');
await import('./observed/costs.ts');
await import('./observed/image-charges.ts');
await import('./observed/storage-limit.ts');
await import('./observed/deleted-files.ts');
await import('./observed/large-files.ts');
await import('./observed/webhook-delivery.ts');
await import('./observed/logs.ts');
await import('./observed/overload.ts');
await import('./observed/fairness.ts');
await import('./observed/hostile-webhooks.ts');

export {};
