/** An output that is already JSON, for lists whose rows the database keeps in their final form. */
export class JsonText<T> {
  readonly text: string;
  /** Never set: carries the type of what the text parses to. */
  declare readonly value: T;

  constructor(text: string) {
    this.text = text;
  }

  parse(): T {
    return JSON.parse(this.text) as T;
  }
}
