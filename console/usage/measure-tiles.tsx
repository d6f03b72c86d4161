import { useId } from 'preact/hooks';
import { texts } from '../texts/texts.ts';
import { MEASURES, type Measure, type Measured } from './measures.ts';
import { totalOf } from './spend.ts';

type Props = {
  readonly measures: Readonly<Record<Measure, Measured>>;
  readonly chosen: Measure;
  readonly onChoose: (measure: Measure) => void;
};

const totalText = ({ days, format }: Measured): string =>
  days === undefined
    ? texts.states.none
    : format(totalOf(days.flatMap(({ amounts }) => [...amounts.values()])));

/** The totals of the range; the chosen one is what the chart shows. */
export const MeasureTiles = ({ measures, chosen, onChoose }: Props) => {
  const name = useId();
  return (
    <fieldset class="tiles">
      <legend class="visually-hidden">{texts.usage.measure}</legend>
      {MEASURES.map((measure) => (
        <label key={measure} class="tile">
          <input
            type="radio"
            name={name}
            value={measure}
            checked={measure === chosen}
            onChange={() => onChoose(measure)}
          />
          <span class="tile-name">{texts.usage.measures[measure]}</span>
          <span class="total number">{totalText(measures[measure])}</span>
        </label>
      ))}
    </fieldset>
  );
};
