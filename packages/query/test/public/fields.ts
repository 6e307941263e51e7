/** The public kinds of fields. */
export { array, bool, entity, f32, f64, i8, i16, i32, u8, u16, u32 } from "@treeline/core";
