package harness;

/** A way by its name in results: the folder json/fast-json holds the class json.FastJson. */
final class Ways {
  private Ways() {}

  static <T> T of(Class<T> contract, String slug) {
    StringBuilder name = new StringBuilder(contract.getPackageName()).append('.');
    for (String word : slug.split("-")) {
      name.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
    }
    try {
      return contract.cast(Class.forName(name.toString()).getDeclaredConstructor().newInstance());
    } catch (ReflectiveOperationException error) {
      throw new IllegalArgumentException("there is no way '" + slug + "'", error);
    }
  }
}
