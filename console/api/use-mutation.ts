import { useRef, useState } from 'preact/hooks';
import { toError } from './retries.ts';

type State<Output> = {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly data: Output | undefined;
};

const IDLE = { isPending: false, error: null, data: undefined } as const;

/** An action such as a button press. `onSuccess` runs even if the page has been left meanwhile. */
export const useMutation = <Input extends readonly unknown[], Output>(
  run: (...input: Input) => Promise<Output>,
  onSuccess: (output: Output) => void = () => {},
) => {
  const [state, setState] = useState<State<Output>>(IDLE);
  const latest = useRef(0);
  const begin = (): ((state: State<Output>) => void) => {
    latest.current += 1;
    const own = latest.current;
    // Ignores the outcome of an earlier call or of a call before the last reset.
    return (next) => latest.current === own && setState(next);
  };
  /** Resolves to false if the action failed; `error` then says why. */
  const mutate = async (...input: Input): Promise<boolean> => {
    const show = begin();
    show({ ...IDLE, isPending: true });
    try {
      const data = await run(...input);
      show({ ...IDLE, data });
      onSuccess(data);
      return true;
    } catch (error) {
      show({ ...IDLE, error: toError(error) });
      return false;
    }
  };
  return { ...state, mutate, reset: () => begin()(IDLE) };
};
