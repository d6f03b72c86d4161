/** These tests share one service whose settings differ from those of the other tests. */
import './other-settings/large-files.ts';
import './other-settings/keys-without-prices.ts';
