/** With a capital, as a line that stands alone begins; names of files, joints and channels keep their letters. */
export function sentence(text: string): string {
  return /^[a-z]+[ ,;]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
