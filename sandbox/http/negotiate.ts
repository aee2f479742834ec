/** Returns the media ranges of an Accept header in their order, without those of q=0. */
const rangesOf = (accept: string): string[] =>
  accept.split(',').flatMap((part) => {
    const [range = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
    return range === '' || parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [range]
  })

const covers = (range: string, type: string): boolean => range === '*/*' || range === type || range === `${type.split('/')[0]}/*`

/**
 * Returns the content type for an Accept header: the default if it is accepted or nothing matches, otherwise the first requested one that
 * is offered.
 */
export function negotiate(offered: readonly [string, ...string[]], accept: string | undefined): string {
  const [usual] = offered
  const ranges = rangesOf(accept ?? '')
  if (ranges.some((range) => covers(range, usual))) return usual
  return ranges.flatMap((range) => offered.find((type) => covers(range, type)) ?? [])[0] ?? usual
}
