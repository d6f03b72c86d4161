import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** As much of DER as a certificate takes. */
const element = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const sequence = (...contents: readonly Uint8Array[]): Buffer => element(0x30, ...contents);
const identifier = (hex: string): Buffer => element(0x06, Buffer.from(hex, 'hex'));
const octets = (content: Uint8Array): Buffer => element(0x04, content);
const time = (milliseconds: number): Buffer => {
  const digits = new Date(milliseconds).toISOString().replace(/\.\d+|\D/g, '');
  return element(0x18, Buffer.from(`${digits}Z`));
};

const COMMON_NAME = identifier('550403');
const SUBJECT_ALTERNATIVE_NAMES = identifier('551d11');
const ECDSA_WITH_SHA256 = sequence(identifier('2a8648ce3d040302'));
const HOUR = 3_600_000;

/** A certificate that nobody vouches for but itself. */
export const selfSignedCertificate = (host: string, expiresAt = Date.now() + HOUR) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(element(0x31, sequence(COMMON_NAME, element(0x0c, Buffer.from(host)))));
  const hosts = sequence(element(0x82, Buffer.from(host)));
  const content = sequence(
    element(0xa0, element(0x02, Buffer.from([2]))),
    element(0x02, Buffer.from([1]), randomBytes(8)),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(expiresAt - 2 * HOUR), time(expiresAt)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(sequence(SUBJECT_ALTERNATIVE_NAMES, octets(hosts)))),
  );
  const signature = element(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  const encoded = sequence(content, ECDSA_WITH_SHA256, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${encoded.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
};
