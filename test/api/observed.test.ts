/**
 * These tests list tables, read logs or count calls, so they have a service that no other test file uses.
 * They share one and run one after another; those that expect empty tables come first.
 */
import './observed/malformed-corpus.ts';
import './observed/malformed-forms.ts';
import './observed/create-refusals.ts';
import './observed/aws-calls.ts';
import './observed/limits.ts';
import './observed/costs.ts';
import './observed/image-charges.ts';
import './observed/webhook-delivery.ts';
import './observed/hostile-webhooks.ts';
