/**
 * Regions in which Lambda streams responses, which image routes require. AWS publishes no list of
 * them. This one leaves out the regions that the documentation of function URLs, the older way to stream, names as
 * unsupported (Hyderabad, Melbourne, Calgary, Spain, Zurich, Tel Aviv, UAE), and those that opened later.
 */
export const STREAMING_REGIONS = {
  checked: '2026-11-17',
  regions: [
    'us-east-1',
    'us-east-2',
    'us-west-1',
    'us-west-2',
    'ca-central-1',
    'sa-east-1',
    'eu-central-1',
    'eu-north-1',
    'eu-south-1',
    'eu-west-1',
    'eu-west-2',
    'eu-west-3',
    'ap-east-1',
    'ap-northeast-1',
    'ap-northeast-2',
    'ap-northeast-3',
    'ap-south-1',
    'ap-southeast-1',
    'ap-southeast-2',
    'ap-southeast-3',
    'af-south-1',
    'me-south-1',
  ],
} as const;

type Region = { readonly region: string; readonly allowUnlistedRegion: boolean };

/** Why a deployment to the region is refused; undefined if it is not. Without a region, only AWS can tell. */
export const refuseRegion = ({ region, allowUnlistedRegion }: Region): string | undefined => {
  const { regions, checked } = STREAMING_REGIONS;
  if (region === '' || allowUnlistedRegion || regions.some((listed) => listed === region)) return undefined;
  return `${region} is not known to stream Lambda responses, which image requests need (as of ${checked}); use one of ${regions.join(', ')}, or set allowUnlistedRegion to true if AWS offers "Lambda response streaming" there`;
};
