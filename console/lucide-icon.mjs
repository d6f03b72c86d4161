import { h } from 'preact';

const STROKE = {
  fill: 'none',
  stroke: 'currentColor',
  'stroke-width': 2,
  'stroke-linecap': 'round',
  'stroke-linejoin': 'round',
};

/** Draws an icon of Lucide. The build uses it instead of the package's own function, which has options that nobody needs. */
export default ({ node }) =>
  ({ size, ...props }) =>
    h(
      'svg',
      { viewBox: '0 0 24 24', width: size, height: size, ...STROKE, ...props },
      node.map(([tag, attributes]) => h(tag, attributes)),
    );
