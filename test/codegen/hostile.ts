/** Texts that end what they are written into, where nothing escapes them, and then run. */

/** What each of them would run. */
const RUN = 'globalThis.PWNED=1';

/** One per position of generated code, and all at once. */
export const HOSTILE: readonly string[] = [
  `*/${RUN};/*`,
  `";${RUN};"`,
  `';${RUN};'`,
  `\`;${RUN};\``,
  `\${${RUN}}`,
  `\\";${RUN};//`,
  `\n${RUN};//`,
  `\r${RUN};//`,
  `\u2028${RUN};//`,
  `\u2029${RUN};//`,
  `</script><script>${RUN}</script>`,
  `/;${RUN};/`,
  `]};${RUN};({[`,
  '__proto__',
  'constructor',
  `*/"'\`\${${RUN}}\\\n\r\u2028\u2029</script>/;${RUN};//`,
];
