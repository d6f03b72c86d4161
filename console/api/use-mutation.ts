import { useRef, useState } from 'preact/hooks';
import { toError } from './retries.ts';

type State<Output> = {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly data: Output | undefined;
};

const IDLE = { isPending: false, error: null, data: undefined } as const;

/** Something that a press of a button does. What follows a success happens even where the page has been left. */
export const useMutation = <Input extends readonly unknown[], Output>(
  run: (...input: Input) => Promise<Output>,
  onSuccess: (output: Output) => void = () => {},
) => {
  const [state, setState] = useState<State<Output>>(IDLE);
  const latest = useRef(0);
  const start = (): ((state: State<Output>) => void) => {
    latest.current += 1;
    const own = latest.current;
    // What was begun before the last reset shows nothing any more.
    return (next) => latest.current === own && setState(next);
  };
  /** False where it failed; `error` then says why. */
  const mutate = async (...input: Input): Promise<boolean> => {
    const show = start();
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
  return { ...state, mutate, reset: () => start()(IDLE) };
};
