import { IMAGE_ROUTES } from './image-routes.ts';

/** An endpoint may take ten seconds to answer a sample event. */
export const WEBHOOK_TEST_ROUTE = '/v1/webhook_endpoints/{webhook_endpoint_id}/test';

/** The routes that hold a function while somebody else takes their time: a flood of them would leave none for others. */
export const SLOW_ROUTES: readonly string[] = [...Object.values(IMAGE_ROUTES), WEBHOOK_TEST_ROUTE];
