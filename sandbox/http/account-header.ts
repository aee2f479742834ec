/** forbidden: the path or the body names the account. */
export type AccountPolicy = 'required' | 'optional' | 'forbidden'

export type AccountHeader = {
  /** Name in documents and errors; on the wire, case is ignored. */
  name: string
  /** Format of a value, to complete "must be …". */
  form: string
  /** All accepted formats, for documentation. */
  described: string
  /** Returns the account's UUID in lower case; undefined if the value has another format. */
  read(value: string): string | undefined
}
