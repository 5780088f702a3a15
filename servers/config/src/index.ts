export {
  block,
  labelled,
  list,
  map,
  repeated,
  type Block,
  type Fields,
  type Labelled,
  type LabelledOptions,
  type ListOptions,
} from './block-readers.js';
export { ConfigError, formatMistake, type ConfigMistake } from './config-error.js';
export {
  describeKind,
  type ConfigBool,
  type ConfigEntry,
  type ConfigExpression,
  type ConfigList,
  type ConfigNull,
  type ConfigNumber,
  type ConfigObject,
  type ConfigText,
  type ConfigValue,
} from './config-tree.js';
export { decodeConfig, type DecodeOptions } from './decode-config.js';
export { defaultConfigLimits, type ConfigLimits } from './limits.js';
export { parseConfig, type ParseConfigOptions } from './parse-config.js';
export { formatPosition, type Position } from './position.js';
export {
  anything,
  checked,
  converted,
  located,
  required,
  type Given,
  type GivenValue,
  type Located,
  type Occurrence,
  type Reader,
  type Report,
  type RequiredReader,
  type TextForm,
  type ValueOf,
} from './reader.js';
export {
  bool,
  choice,
  duration,
  int,
  someText,
  text,
  type ChoiceOptions,
  type DurationOptions,
  type IntOptions,
  type TextOptions,
} from './scalar-readers.js';
export {
  setting,
  settingsIn,
  valuesIn,
  type GivenSettings,
  type PathsOf,
  type Setting,
  type SettingOptions,
  type SettingTree,
  type ValuesOf,
} from './setting.js';
export { suggestName } from './suggest.js';
export { valueOfTexts, valueOfVariable } from './text-values.js';
