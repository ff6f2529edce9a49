package harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/**
 * Runs JMH once for each line of input, whose words are separated by tabs, and answers with a line.
 * So its JVM starts once.
 */
public final class Host {
  private Host() {}

  public static void main(String[] none) throws IOException {
    PrintStream answers = System.out;
    System.setOut(System.err); // what JMH prints is no answer
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      answers.println(run(line.split("\t")));
      answers.flush();
    }
  }

  private static String run(String[] words) {
    try {
      new Runner(new CommandLineOptions(words)).run();
      return "done";
    } catch (RunnerException | CommandLineOptionException error) {
      return "failed";
    }
  }
}
