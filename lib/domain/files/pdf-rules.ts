import { isNamed, type PdfDict, type PdfValue, type PdfWatch, valuesOf } from './pdf-objects'
import { type ProblemId, Refusal } from './refusal'

/** Names that settle it wherever they stand, however they are written. */
const banned: ReadonlyMap<string, ProblemId> = new Map<string, ProblemId>([
  ['JavaScript', 'pdfScript'],
  ['JS', 'pdfScript'],
  ['Launch', 'pdfLaunch'],
  ['Encrypt', 'pdfPassword'],
  ['XFA', 'pdfXfa'],
  ['EmbeddedFile', 'pdfAttachment'],
  ['EmbeddedFiles', 'pdfAttachment'],
  ['GoToE', 'pdfAttachment'],
  ['RichMedia', 'pdfMedia'],
  ['RichMediaContent', 'pdfMedia'],
  ['Rendition', 'pdfMedia'],
  ['SubmitForm', 'pdfSends'],
  ['ImportData', 'pdfSends'],
])

const media = ['Movie', 'Sound', 'Screen', '3D']
const scriptLink = /^[\s\0]*(?:javascript|vbscript|data):/i

/** Actions that only lead to a place in the same document. */
const isPlace = (dict: PdfDict) =>
  valuesOf(dict, 'Next').length === 0 &&
  valuesOf(dict, 'S').every((value) => value.kind === 'name' && (value.text === 'GoTo' || value.text === 'Named'))

const holds = (value: PdfValue) => value.kind === 'ref' || (value.kind === 'dict' && value.pairs.length > 0)
const has = (dict: PdfDict, key: string) => valuesOf(dict, key).length > 0

/** What no dictionary may say. A file specification without its own bytes only names a file. */
const broken: readonly [(dict: PdfDict) => boolean, ProblemId][] = [
  [(dict) => isNamed(dict, 'Subtype', media) || isNamed(dict, 'S', ['Movie', 'Sound']), 'pdfMedia'],
  [(dict) => valuesOf(dict, 'EF').some(holds) && (has(dict, 'F') || has(dict, 'UF') || has(dict, 'Type')), 'pdfAttachment'],
  [(dict) => valuesOf(dict, 'AA').some(holds), 'pdfOpening'],
  [(dict) => valuesOf(dict, 'URI').some((value) => value.kind === 'string' && scriptLink.test(value.text)), 'pdfScript'],
]

/** What has been learned of a PDF: the parts every one has, and what its opening leads to. Throws `Refusal` as soon as a rule is broken. */
export class PdfRules implements PdfWatch {
  private readonly types = new Set<string>()
  private readonly opens = new Set<number>()
  /** Objects that do more than lead to a place, were they an action. Objects whose number could not be read count as each of them. */
  private readonly acting = new Set<number | null>()

  name(text: string): void {
    const problem = banned.get(text)
    if (problem) throw new Refusal(problem)
  }

  dict(dict: PdfDict): void {
    for (const type of ['Catalog', 'Page', 'Pages']) if (isNamed(dict, 'Type', [type])) this.types.add(type)
    for (const [breaks, problem] of broken) if (breaks(dict)) throw new Refusal(problem)
    for (const action of valuesOf(dict, 'OpenAction')) this.opening(action)
  }

  /** One numbered object, after its dictionaries were seen. */
  object(number: number | null, [value]: readonly PdfValue[]): void {
    const leads = value?.kind === 'dict' ? isPlace(value) : value?.kind === 'array' || value?.kind === 'name' || value?.kind === 'string'
    if (!leads) this.acting.add(number)
  }

  /** What can be said only at the end. */
  finish(): void {
    const acts = [...this.opens].some((number) => this.acting.has(number) || this.acting.has(null))
    if (acts) throw new Refusal('pdfOpening')
    if (!this.types.has('Catalog') || !(this.types.has('Page') || this.types.has('Pages'))) throw new Refusal('pdfDamaged')
  }

  private opening(action: PdfValue): void {
    if (action.kind === 'ref') this.opens.add(action.number)
    if (action.kind === 'dict' && !isPlace(action)) throw new Refusal('pdfOpening')
  }
}
